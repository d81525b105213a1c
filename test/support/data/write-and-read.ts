import { type Answer, Client, type Json, newWorkspace, type Workspace } from '../clients/client.js';
import { type Random, randomFrom } from '../random.js';

/** Each has a key, which reads from a replica of its own: of two replicas, one has none of these once in two thousand runs. */
const WRITERS = 12;

/** Writes by one process and reads by any, in an organization of its own, so that what is newest there is its own. */
class Writer {
  readonly missed: unknown[] = [];
  private contact: Json;

  constructor(
    private readonly urls: string[],
    private readonly workspace: Workspace,
    private readonly random: Random,
  ) {}

  async pair(nr: number): Promise<void> {
    const change = { name: `Contact ${nr}` };
    const isNew = !this.contact || this.random.chance(0.5);
    const written = isNew
      ? await this.send('POST', 'contacts', change)
      : await this.send('PATCH', `contacts/${this.contact.contact_id}`, change, this.contact.etag);
    if (written.status >= 300) return void this.missed.push(written.text);
    this.contact = { ...written.body, etag: written.headers.get('etag') };
    const { contact_id } = this.contact;
    const audit = `audit-logs?record_type=contact&record_id=${contact_id}&limit=1`;
    const reads = [`contacts/${contact_id}`, audit, ...(isNew ? ['contacts?limit=1'] : [])];
    const path = this.random.sample(reads, 1)[0]!;
    const { status, text } = await this.send('GET', path);
    if (status !== 200 || !text.includes(`"${change.name}"`)) this.missed.push([path, change.name, text]);
  }

  private send(method: string, path: string, body?: object, ifMatch?: string): Promise<Answer> {
    const { base, headers } = this.workspace.api;
    const client = new Client(this.random.sample(this.urls, 1)[0]!, base, headers);
    return client.send(method, path, { body, headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });
  }
}

/** What so many pairs of a write and a read of it, each at any of these processes, have not found. */
export async function missedBy(urls: string[], pairs: number, seed: number): Promise<unknown[]> {
  const workspaces = Array.from({ length: WRITERS }, () => newWorkspace({ url: urls[0]! }));
  const writers = (await Promise.all(workspaces)).map(
    (workspace, nr) => new Writer(urls, workspace, randomFrom(seed + nr)),
  );
  let left = pairs;
  await Promise.all(
    writers.map(async (writer) => {
      while (left > 0) await writer.pair(left--);
    }),
  );
  return writers.flatMap(({ missed }) => missed);
}
