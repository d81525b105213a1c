interface Document {
  paths: Record<string, Record<string, { responses?: Record<string, { content?: object }> }>>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The routes of an OpenAPI document whose success is bytes, such as `get /files/{file_id}`, in its order: those that answer with another
 * type than JSON and text, and never with JSON. The types of the client say the same (`Answer` in libs/client/calls.ts).
 */
export const byteRoutes = ({ paths }: Document): string[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { responses = {} }]) => METHODS.includes(method) && givesBytes(responses))
      .map(([method]) => `${method} ${path}`),
  );

function givesBytes(responses: Record<string, { content?: object }>): boolean {
  const types = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith('2') ? Object.keys(content) : [],
  );
  return !types.includes('application/json') && types.some((type) => !type.startsWith('text/'));
}
