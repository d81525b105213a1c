/** Told of each answer, and of each request that got none. */
export const watch: { answered(response: Response): void; lost(): void } = {
  answered: () => undefined,
  lost: () => undefined,
};

let writes = 0;

/** Whether a change is under way. */
export const isWriting = (): boolean => writes > 0;

/** A change that takes several requests, some of which only read. */
export async function writing<Done>(work: () => Promise<Done>): Promise<Done> {
  writes++;
  try {
    return await work();
  } finally {
    writes--;
  }
}

export const watchedFetch = (request: Request): Promise<Response> =>
  request.method === 'GET' ? asked(request) : writing(() => asked(request));

async function asked(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    watch.answered(response);
    return response;
  } catch (error) {
    if (!request.signal.aborted) watch.lost();
    throw error;
  }
}
