import {
  type Answer,
  Client,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  sharedUrl,
  type Workspace,
} from '../support/clients/client.js';
import { FORM_ENCODED, pathOf, textChannel } from '../support/clients/doors.js';
import { expectProblem } from '../support/clients/expectations.js';
import { rawMail } from '../support/data/mail.js';
import { ADMIN_KEY } from '../support/server/server.js';

const TYPES = [
  'application/octet-stream',
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'message/rfc822',
  'text/plain',
  'text/csv; charset=utf-8',
  'application/x-unread',
  'image/png',
  'nonsense',
  '*/*',
  null,
];
const WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE'];
const BROKEN = new Uint8Array(Buffer.from('{"broken\xff', 'latin1'));

const open = new Client(sharedUrl(), '');
const typed = (type: string | null): Record<string, string> =>
  type === null ? {} : { 'content-type': type };
const push = (path: string, type: string | null, raw = BROKEN, method = 'POST', client = open) =>
  client.send(method, path, { raw, headers: typed(type) });

/** What each type is answered, by status. */
async function statuses(answerTo: (type: string | null) => Promise<Answer>): Promise<Record<string, number>> {
  const found: [string, number][] = [];
  for (const type of TYPES) found.push([String(type), (await answerTo(type)).status]);
  return Object.fromEntries(found);
}
const all = (status: number, but: Record<string, number> = {}) => ({
  ...Object.fromEntries(TYPES.map((type) => [String(type), status])),
  ...but,
});

let workspace: Workspace;
let email: Json;
let text: Json;
let chat: Json;
beforeAll(async () => {
  workspace = await newWorkspace();
  [email, text, chat] = [
    await emailChannel(workspace, 1),
    await textChannel(workspace),
    await ok(workspace.adminApi.put('channels/live_chat', { provider: 'inbox' })),
  ];
});

describe('a body of any type', () => {
  it.each([
    ['/nowhere', 404],
    ['/u', 404],
    ['/console/nowhere', 404],
    ['/docs/nowhere', 404],
    ['/l/link_x', 405],
    ['/docs', 405],
    ['/metrics', 405],
    ['/health/live', 405],
    ['/openapi.json', 405],
  ])('sent to %s, where no route takes one, is answered %i', async (path, status) => {
    for (const method of WITH_BODY)
      expect(await statuses((type) => push(path, type, BROKEN, method))).toEqual(all(status));
  });

  it.each(['OPTIONS', 'GET'])('changes nothing for %s of what is not there', async (method) => {
    if (method === 'OPTIONS')
      expect(await statuses((type) => push('/nowhere', type, BROKEN, method))).toEqual(all(404));
    else
      expect(
        (await open.send(method, '/nowhere', { headers: typed('application/octet-stream') })).status,
      ).toBe(404);
  });

  it('is answered 401 without a key, 404 where no route is, and else 415 by routes that take JSON', async () => {
    for (const [client, base] of [
      [workspace.api, '/api/v2'],
      [workspace.admin, '/admin/v1'],
    ] as const) {
      expect(await statuses((type) => push(`${base}/organizations`, type))).toEqual(all(401));
      expect(await statuses((type) => push(`${base}/organizations`, type, BROKEN, 'PUT', client))).toEqual(
        all(405),
      );
      expect(await statuses((type) => push(`${base}/nowhere`, type))).toEqual(all(401));
      expect(await statuses((type) => push(`${base}/nowhere`, type, BROKEN, 'POST', client))).toEqual(
        all(404),
      );
    }
    for (const path of ['contacts', 'contacts/contact_x/merge', 'tags'])
      expect(await statuses((type) => push(path, type, BROKEN, 'POST', workspace.api))).toEqual(
        all(415, { 'application/json': 400 }),
      );
    expect(await statuses((type) => push('/console/session', type, BROKEN, 'POST', workspace.api))).toEqual(
      all(415, { 'application/json': 400 }),
    );
  });

  it('changes nothing on the pages of the queues', async () => {
    const operator = open.with({ 'x-admin-key': ADMIN_KEY });
    const path = '/admin/queues/api/queues/delivery/pause';
    expect(await statuses((type) => push(path, type))).toEqual(all(401));
    expect(await statuses((type) => push(path, type, BROKEN, 'PUT', operator))).toEqual(all(405));
  });
});

describe('a door', () => {
  it('says first that the token is wrong', async () => {
    for (const path of [
      pathOf(email, 'email'),
      pathOf(email, 'form'),
      pathOf(text, 'call'),
      pathOf(chat, 'live_chat'),
    ])
      expect(await statuses((type) => push(path.replace(/token=.*/, 'token=wrong'), type))).toEqual(all(401));
    expect(await statuses((type) => push('/hooks/v1/channels/channel_x/twilio', type))).toEqual(all(401));
    const other = `/hooks/v1/channels/${email['channel_id']}/twilio`;
    expect(await statuses((type) => push(other, type))).toEqual(all(404));
  });

  it('for mails takes them whatever their type is called', async () => {
    const path = pathOf(email, 'email');
    for (const type of TYPES) {
      const subject = `as ${type}`;
      const raw = new Uint8Array(Buffer.from(rawMail({ headers: [`Subject: ${subject}`] })));
      const answer = await push(path, type, raw);
      expect([type, answer.status, answer.body?.subject]).toEqual([type, 201, subject]);
    }
    for (const type of TYPES)
      expectProblem(await push(path, type, new Uint8Array()), 400, 'validation_failed');
  });

  it('for anything else refuses what it does not take', async () => {
    const JSON_ALONE = all(415, { 'application/json': 400 });
    expect(await statuses((type) => push(pathOf(text, 'call'), type))).toEqual(JSON_ALONE);
    expect(await statuses((type) => push(pathOf(chat, 'live_chat'), type))).toEqual(JSON_ALONE);
    const forms = { 'application/x-www-form-urlencoded': 400, 'multipart/form-data; boundary=b': 400 };
    expect(
      await statuses((type) => push(pathOf(email, 'form'), type, new Uint8Array(Buffer.from('--b')))),
    ).toEqual({
      ...JSON_ALONE,
      ...forms,
      'application/x-www-form-urlencoded': 201,
    });
    expect(await statuses((type) => push(pathOf(text, 'twilio'), type))).toEqual(
      all(415, { ...forms, 'application/x-www-form-urlencoded': 403 }),
    );
    await ok(
      push(pathOf(email, 'form'), FORM_ENCODED['content-type'], new Uint8Array(Buffer.from('name=Ann'))),
    );
  });
});

it('a link to unsubscribe is not kept from what it says by any type', async () =>
  expect(await statuses((type) => push('/u/x', type))).toEqual(all(404)));
