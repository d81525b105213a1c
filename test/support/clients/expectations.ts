import type { Answer, Json } from './client.js';

/** An instant as Parley answers it: UTC with `Z`, microseconds. */
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** The answer is this problem (RFC 9457), whole and well-formed, and names these fields. */
export function expectProblem(answer: Answer, status: number, code: string, ...fields: string[]): void {
  const { body, headers } = answer;
  expect({ status: answer.status, code: body?.code, detail: body?.detail }).toMatchObject({ status, code });
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const errors: Json[] = body.errors ?? [];
  expect(body).toEqual({
    type: expect.stringMatching(/^https?:\/\//),
    title: expect.stringMatching(/\S/),
    status,
    detail: expect.stringMatching(/\S/),
    instance: expect.stringMatching(/^(\/|http)/),
    code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
    request_id: headers.get('x-request-id'),
    ...(body.errors && {
      errors: errors.map(() => ({ field: expect.any(String), detail: expect.any(String) })),
    }),
    ...(body.hint && { hint: { method: expect.any(String), route: expect.any(String) } }),
  });
  expect(errors.map(({ field }) => field)).toEqual(expect.arrayContaining(fields));
  for (const field of fields) expect(body.detail).toContain(field);
}

/** The same without what differs from request to request: ids that are `known`, the request's id and the date. */
export function withoutIds({ status, headers, text }: Answer, known: string[]): object {
  const requestId = headers.get('x-request-id') ?? '';
  const hide = (value: string) =>
    [requestId, ...known].filter((id) => id !== '').reduce((rest, id) => rest.replaceAll(id, '…'), value);
  const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { status, headers: Object.fromEntries(kept), text: hide(text) };
}
