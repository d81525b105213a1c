import { type Answer, adminOf, type Client, type Json, ok } from '../support/clients/client.js';
import { inDatabase } from '../support/database/database.js';
import { expectProblem } from '../support/clients/expectations.js';
import { type Furnished, furnishedWorkspace } from '../support/data/records.js';
import { until } from '../support/until.js';

let admin: Client;
let furnished: Furnished;
beforeAll(async () => {
  admin = adminOf();
  furnished = await furnishedWorkspace();
});

const projections = async (): Promise<Json[]> => (await ok(admin.get('projections'))).data;
const named = async (name: string): Promise<Json> =>
  (await projections()).find((projection) => projection.name === name);

/** Begins a rebuild; other tests may be verifying the same tables, which is waited for. */
async function rebuild(name: string): Promise<Answer> {
  let answer = await admin.post(`projections/${name}/rebuild`);
  await until(async () => {
    if (answer.status === 409) answer = await admin.post(`projections/${name}/rebuild`);
    return answer.status !== 409;
  });
  return answer;
}

describe('projections', () => {
  it('are listed with name, position, lag and status', async () => {
    const all = await projections();
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['contact', 'company', 'conversation', 'draft', 'audit']),
    );
    for (const { rebuild: _, ...projection } of all)
      expect(projection).toEqual({
        name: expect.any(String),
        kind: expect.stringMatching(/^(inline|async)$/),
        position: expect.stringMatching(/^\d{20}-\d{19}$/),
        lag_events: expect.any(Number),
        lag_seconds: expect.any(Number),
        status: expect.stringMatching(/^(live|rebuilding)$/),
      });
  });

  it('move on with the events, and have no lag once they have caught up', async () => {
    const before = (await named('analytics')).position;
    const { conversation_id } = furnished.ids;
    await ok(furnished.api.patch(`conversations/${conversation_id}`, { folder: 'moved' }));
    await until(async () => (await named('analytics')).position > before);
    await until(async () => (await named('analytics')).lag_events === 0);
    const rows = (await projections()).filter(({ kind }) => kind === 'inline');
    expect(rows.every(({ lag_events, lag_seconds }) => lag_events === 0 && lag_seconds === 0)).toBe(true);
  });
});

describe('a rebuild', () => {
  it.each(['audit', 'contact', 'conversation', 'draft'])(
    'of %s is accepted, ends, and leaves what can be read as it was',
    async (name) => {
      const { api, ids } = furnished;
      const paths = [
        `contacts/${ids['contact_id']}`,
        `conversations/${ids['conversation_id']}/messages`,
        `conversations/${ids['conversation_id']}/response-drafts`,
        `audit-logs/${ids['audit_log_id']}`,
      ];
      const read = () => Promise.all(paths.map(async (path) => (await api.get(path)).text));
      const before = await read();
      const answer = await rebuild(name);
      expect(answer.status).toBe(202);
      const begun = { name, status: 'rebuilding', rebuild: { progress: expect.any(Number) } };
      expect(answer.body).toMatchObject(begun);
      for (let nr = 0; nr < 5; nr++) expect(await read()).toEqual(before);
      await until(async () => (await named(name)).status === 'live');
      expect(await read()).toEqual(before);
    },
  );

  it('of a projection that does not exist is 404', async () => {
    for (const name of ['nonsense', 'AUDIT', '__proto__'])
      expectProblem(await admin.post(`projections/${name}/rebuild`), 404, 'projection_not_found');
  });

  it('is refused with 409 while one is under way, in whichever process', async () => {
    await inDatabase(async (database) => {
      await database.query(`SELECT pg_advisory_lock(hashtextextended('rebuild_bounce', 0))`);
      await database.query(`INSERT INTO es_rebuild VALUES ('bounce', 0.25, 12.5)`);
      expect(await named('bounce')).toMatchObject({
        status: 'rebuilding',
        rebuild: { progress: 0.25, seconds_left: 12.5 },
      });
      expectProblem(await admin.post('projections/bounce/rebuild'), 409, 'rebuild_in_progress');
    });
    await until(async () => (await named('bounce')).status === 'live');
    // What an interrupted one has left is not shown.
    expect(await named('bounce')).not.toHaveProperty('rebuild');
    expect((await rebuild('bounce')).status).toBe(202);
    await until(async () => (await named('bounce')).status === 'live');
  });

  it('needs the operator key', async () => {
    const open = admin.with({ 'x-admin-key': '' });
    expectProblem(await open.post('projections/audit/rebuild'), 401, 'unauthorized');
    expectProblem(await open.get('projections'), 401, 'unauthorized');
  });
});
