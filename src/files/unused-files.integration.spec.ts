import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { EventStore } from '#event-store/event-store.js';
import { Spooled } from '#http/input/spool.js';
import { Upload } from '#http/input/upload.js';
import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { DraftFiles } from './draft-files.js';
import type { FileFacts } from './file.js';
import { FileQueries } from './files.queries.js';
import { DiskFileStore } from './store/disk-file-store.js';
import { StoredFiles } from './stored-files.js';
import { UnusedFiles } from './unused-files.js';
import { UploadFile, UploadFileHandler } from './upload-file.js';

let test: TestDatabase;
let folder: string;
let store: EventStore;
let stored: StoredFiles;
let queries: FileQueries;
let draftFiles: DraftFiles;
let unused: UnusedFiles;
const organizationId = newId('org');
const context = systemContext(organizationId);

beforeAll(async () => {
  test = await testDatabase();
  folder = mkdtempSync(join(tmpdir(), 'files-'));
  store = new EventStore(test.database, {});
  stored = new StoredFiles(new DiskFileStore(join(folder, 'store')));
  queries = new FileQueries(test.database);
  draftFiles = new DraftFiles(store, stored);
  unused = new UnusedFiles(test.database, store, queries, stored, { api: true, worker: true });
});
afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true });
});

function upload(text: string, sha256 = `${text}-hash`): Promise<FileFacts> {
  const bytes = new Spooled(text.length, sha256, Buffer.from(text));
  return new UploadFileHandler(store, queries, stored).execute(
    new UploadFile(context, 'x.txt', new Upload('text/plain', null, bytes)),
  );
}

/** As if this much time had passed since the file was last in a draft. */
const age = (age: string) =>
  test.database.query({
    text: `UPDATE file SET unused_since = unused_since - $1::interval, created_at = created_at - $1::interval`,
    values: [age],
  });
const give = (draftId: string, had: FileFacts[], files: FileFacts[]) =>
  store.exclusively(organizationId, [], async (tx) => {
    const ids = files.map(({ file_id }) => file_id);
    const { appends } = await draftFiles.give(tx, organizationId, draftId, had, ids);
    await store.appendIn(tx, context, appends);
  });
const isThere = async ({ file_id, sha256 }: FileFacts): Promise<[row: boolean, bytes: boolean]> => [
  (await queries.file(organizationId, file_id)) !== undefined,
  await stored.has(organizationId, sha256),
];

describe('a file in no draft', () => {
  it('is removed after 24 hours, with its bytes', async () => {
    const file = await upload('alone');
    await age('23 hours 59 minutes');
    await unused.removeOld();
    expect(await isThere(file)).toEqual([true, true]);
    await age('2 minutes');
    await unused.removeOld();
    expect(await isThere(file)).toEqual([false, false]);
  });

  it('leaves its bytes to another file that has the same', async () => {
    const old = await upload('twin');
    await age('2 days');
    const young = await upload('twin');
    await unused.removeOld();
    expect(await isThere(old)).toEqual([false, true]);
    expect(await buffer((await stored.read(organizationId, young.sha256))!)).toEqual(Buffer.from('twin'));
  });

  it('is kept 24 hours after the last draft let it go', async () => {
    const file = await upload('let go');
    await give('draft_1', [], [file]);
    await give('draft_2', [], [file]);
    await age('9 days');
    await give('draft_1', [file], []);
    await unused.removeOld();
    expect(await isThere(file)).toEqual([true, true]);
    await give('draft_2', [file], []);
    await unused.removeOld();
    expect(await isThere(file)).toEqual([true, true]);
    await age('25 hours');
    await unused.removeOld();
    expect(await isThere(file)).toEqual([false, false]);
  });

  it('is either removed or in the draft that takes it at that moment, bytes and all, 100 times', async () => {
    const outcomes = new Set<string>();
    for (let nr = 0; nr < 100; nr++) {
      const file = await upload(`race ${nr}`);
      await age('2 days');
      const taking = () =>
        give(`draft_${nr}`, [], [file]).then(
          () => 'taken',
          () => 'refused',
        );
      const removal = unused.removeOld();
      await sleep(nr % 10);
      const [taken] = await Promise.all([taking(), removal]);
      expect([taken, ...(await isThere(file))]).toEqual(
        taken === 'taken' ? ['taken', true, true] : ['refused', false, false],
      );
      outcomes.add(taken);
    }
    expect(outcomes).toEqual(new Set(['taken', 'refused']));
  });

  it('is whole when the same bytes are uploaded as the last file with them is removed, 50 times', async () => {
    for (let nr = 0; nr < 50; nr++) {
      await upload(`again ${nr}`);
      await age('2 days');
      const [file] = await Promise.all([upload(`again ${nr}`), unused.removeOld()]);
      expect(await isThere(file)).toEqual([true, true]);
    }
  });
});
