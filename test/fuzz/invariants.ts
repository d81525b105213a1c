import type { Answer, Json } from '../support/clients/client.js';
import { bodySchema, type Document, mismatches, type Schema } from '../support/clients/openapi.js';
import type { FuzzedRequest } from './requests.js';

/** What Node's own parser refuses before there is a request, whatever the route. */
const BEFORE_ROUTES = new Set([431]);
const BODILESS = new Set([204, 302, 303, 304]);

/** What is wrong with the answer; nothing when all invariants hold. */
export function faultsOf(document: Document, request: FuzzedRequest, sent: string, answer: Answer): string[] {
  const { status } = answer;
  if (status >= 500) return [`${status} ${answer.text.slice(0, 300)}`];
  const responses: Json = request.operation.spec.responses;
  const documented = responses[status];
  if (!documented && BEFORE_ROUTES.has(status)) return [];
  const faults = documented ? [] : [`the status ${status} is not documented: ${answer.text.slice(0, 300)}`];
  if (status >= 400) faults.push(...faultsOfProblem(document, answer));
  else if (documented) faults.push(...faultsOfSuccess(document, documented, answer));
  if (status < 300) faults.push(...taken(document, request, sent, answer));
  if (request.isValid && [answer, ...itemsOf(answer)].some(isRefusedForm))
    faults.push(`what is valid is refused: ${status} ${answer.text.slice(0, 300)}`);
  return faults;
}

/** What became of each item of a batch. */
const itemsOf = ({ body }: Answer): { status: number; body: Json }[] =>
  (body?.results ?? []).map(({ status, problem }: Json) => ({ status, body: problem }));

/** A record that is named may have been deleted, or merged into another one, by a request before. */
const GONE = /: there is no [a-z ]+ [a-z]+_\w+ in this organization$/;

const isRefusedForm = ({ status, body }: Pick<Answer, 'status' | 'body'>): boolean =>
  status === 413 ||
  status === 415 ||
  (status === 400 &&
    (body?.code ?? 'validation_failed') === 'validation_failed' &&
    !GONE.test(body?.detail ?? ''));

function faultsOfProblem(document: Document, { status, headers, body, text }: Answer): string[] {
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('application/problem+json'))
    return [`the error is no problem: ${type} ${text.slice(0, 200)}`];
  const problem = { $ref: '#/components/schemas/ProblemResponse' };
  const faults = mismatches(document, problem, body).map(
    (reason) => `the problem is off its schema: ${reason}`,
  );
  if (body.status !== status) faults.push(`the problem says ${body.status}, the answer ${status}`);
  if (!/\S/.test(body.detail ?? '')) faults.push('the problem lacks its detail');
  if (body.request_id !== headers.get('x-request-id')) faults.push('the problem is of another request');
  return faults;
}

function faultsOfSuccess(
  document: Document,
  documented: Json,
  { status, headers, body, text }: Answer,
): string[] {
  if (BODILESS.has(status)) return text === '' ? [] : [`${status} with a body: ${text.slice(0, 200)}`];
  const type = (headers.get('content-type') ?? '').split(';')[0]!;
  const content: Json = documented.content ?? {};
  const schema: Schema = content[type]?.schema ?? content['application/octet-stream']?.schema;
  if (!schema) return [`the type ${type} is not documented for ${status}`];
  if (schema.format === 'binary') return [];
  return mismatches(document, schema, body ?? text).map(
    (reason) => `the answer is off its schema: ${reason}`,
  );
}

/** What was taken although the document says it may not be. */
function taken(
  document: Document,
  { operation, headers }: FuzzedRequest,
  sent: string,
  answer: Answer,
): string[] {
  const schema = bodySchema(operation);
  if (!schema || !/json/i.test(headers['content-type'] ?? '') || sent === '') return [];
  // A byte order mark is left out by those who read the text, here and there. The forms of instants that are taken are more than those that are answered.
  const loose = JSON.parse(JSON.stringify(document), (key, value) => (key === 'format' ? undefined : value));
  const refused = itemsOf(answer).flatMap(({ status }, nr) => (status < 300 ? [] : `$.items.${nr}`));
  return mismatches(loose, schema, JSON.parse(new TextDecoder().decode(Buffer.from(sent, 'latin1'))))
    .filter((reason) => !refused.includes(/^\$\.items\.\d+/.exec(reason)?.[0] ?? ''))
    .map((reason) => `what its schema refuses is taken: ${reason}`);
}
