import { type Answer, emailChannel, type Json, ok, unique } from '../support/clients/client.js';
import { newMessageId, postMail, rawMail } from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { cli } from '../support/server/cli.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';

const ROUNDS = 12;
const AT_ONCE = 8;

let dataDir: string;
let server: Server;
let own: SalesWorkspace;
let channel: Json;

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await startServer({ dataDir });
  own = await salesWorkspace({ url: server.url });
  channel = await emailChannel(own, 9);
});

afterAll(async () => {
  await server.stop();
  removeDataDir(dataDir);
});

const comment = (on: string): Promise<Answer> => own.api.post(`${on}/comments`, { body: 'Late' });
const conversation = async (): Promise<string> =>
  `conversations/${(await ok(received(own.api, { contact: { name: 'Grace' } }))).conversation_id}`;
const contact = async (): Promise<string> =>
  `contacts/${(await ok(own.api.post('contacts', { name: 'Grace' }))).contact_id}`;
const idOf = (path: string): string => path.split('/')[1]!;
const listed = async (on: string): Promise<Json[]> =>
  (await ok(own.api.get(`${on}/comments`, { limit: 200 }))).data;
const idsOf = (answers: Answer[]): string[] =>
  answers.filter(({ status }) => status === 201).map(({ body }) => body.comment_id as string);
/** Each was made, or refused since its record had gone or changed at that moment. */
const expectAnswered = (answers: Answer[]): void =>
  expect(answers.filter(({ status }) => ![200, 201, 202, 204, 404, 409].includes(status))).toEqual([]);

async function expectCounted(on: string, made: string[]): Promise<void> {
  const there = await listed(on);
  expect(there.map(({ comment_id }) => comment_id as string).sort()).toEqual([...made].sort());
  for (const { record } of there) expect(record).toEqual({ type: 'conversation', id: idOf(on) });
  expect(await ok(own.api.get(on))).toMatchObject({ comment_count: made.length });
}

it('of many comments that are added and deleted at once, a conversation counts those that are left', async () => {
  const on = await conversation();
  const first = await Promise.all(Array.from({ length: 40 }, () => comment(on)));
  expectAnswered(first);
  const [kept, gone] = [first.slice(0, 20), first.slice(20)];
  const answers = await Promise.all([
    ...gone.map(({ body }) => own.api.delete(`comments/${body.comment_id}`)),
    ...gone.map(({ body }) => own.api.delete(`comments/${body.comment_id}`)),
    ...kept.map(() => comment(on)),
    ...kept.map(({ body }) => own.api.patch(`comments/${body.comment_id}`, { body: 'Edited' })),
    received(own.api, { conversation_id: idOf(on) }),
  ]);
  expectAnswered(answers);
  expect(answers.slice(0, 40).filter(({ status }) => status === 204)).toHaveLength(20);
  await expectCounted(on, [...idsOf(kept), ...idsOf(answers.slice(40, 60))]);
});

it('what is commented on while conversations are merged by hand is on the one that stays, and counted', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [into, from] = [await conversation(), await conversation()];
    const before = idsOf(await Promise.all([comment(into), comment(from), comment(from)]));
    const [merged, deleted, ...answers] = await Promise.all([
      own.api.post(`${into}/merge`, { from_conversation_id: idOf(from) }),
      own.api.delete(`comments/${before[1]}`),
      ...Array.from({ length: AT_ONCE }, (_, nr) => comment(nr % 2 === 0 ? into : from)),
    ]);
    expectAnswered([merged, deleted, ...answers]);
    expect([merged.status, deleted.status]).toEqual([200, 204]);
    await expectCounted(into, [before[0]!, before[2]!, ...idsOf(answers)]);
  }
});

it('and so it is while a message ties them together', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const from = `${unique('grace')}@navy.example`;
    const [first, middle, last] = [newMessageId(), newMessageId(), newMessageId()];
    const post = (fields: object) => postMail(channel, rawMail({ from, ...fields }), server.url);
    const early = await ok(post({ id: first, date: '01 Jan 2026 12:00:00 +0000' }));
    const late = await ok(post({ id: last, inReplyTo: middle, date: '03 Jan 2026 12:00:00 +0000' }));
    const both = [early, late].map(({ conversation_id }) => `conversations/${conversation_id}`);
    const before = idsOf(await Promise.all(both.map(comment)));
    const [tied, ...answers] = await Promise.all([
      post({ id: middle, inReplyTo: first, date: '02 Jan 2026 12:00:00 +0000' }),
      ...Array.from({ length: AT_ONCE }, (_, nr) => comment(both[nr % 2]!)),
    ]);
    expectAnswered([tied, ...answers]);
    await expectCounted(`conversations/${tied.body.conversation_id}`, [...before, ...idsOf(answers)]);
  }
});

it('what is commented on while contacts are merged is on the one that stays', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [into, from] = [await contact(), await contact()];
    const before = idsOf(await Promise.all([comment(into), comment(from)]));
    const [merged, ...answers] = await Promise.all([
      own.api.post(`${into}/merge`, { from_contact_id: idOf(from) }),
      ...Array.from({ length: AT_ONCE }, (_, nr) => comment(nr % 2 === 0 ? into : from)),
    ]);
    expectAnswered([merged, ...answers]);
    expect(merged.status).toBe(200);
    const there = (await listed(into)).map(({ comment_id }) => comment_id as string);
    expect(there.sort()).toEqual([...before, ...idsOf(answers)].sort());
  }
});

it('nothing is left of what is commented on while its record is deleted', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const on = round % 2 === 0 ? await contact() : `sales/${(await own.open()).sale_id}`;
    const before = idsOf([await comment(on)]);
    const [deleted, edited, ...answers] = await Promise.all([
      own.api.delete(on),
      own.api.patch(`comments/${before[0]}`, { body: 'Edited' }),
      ...Array.from({ length: AT_ONCE }, () => comment(on)),
    ]);
    expectAnswered([deleted, edited, ...answers]);
    expect(deleted.status).toBe(204);
    for (const id of [...before, ...idsOf(answers)])
      expect((await own.api.get(`comments/${id}`)).status).toBe(404);
  }
});

it('rows, counts and search are what the events say, also after they are made anew', async () => {
  expect(await verify(dataDir)).not.toContain('DIFFERS');
  const rows = async () => (await ok(own.api.get('conversations', { limit: 200 }))).data;
  const before = await rows();
  for (const name of ['comment', 'conversation', 'search'])
    expect((await cli(['rebuild', name], { env: { PARLEY_DATA_DIR: dataDir } })).code).toBe(0);
  expect(await rows()).toEqual(before);
  expect(await verify(dataDir)).not.toContain('DIFFERS');
});
