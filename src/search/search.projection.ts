import { deleteByIds } from '#database/by-ids.js';
import type { Transaction } from '#database/statements/statement.js';
import { groupBy } from '#event-store/group-by.js';
import type { Projection } from '#event-store/projection.js';
import type { Upcasters } from '#event-store/upcast.js';
import { hasWords, tokensOf } from './search-document.js';
import type { Documents, SearchSource } from './search-source.js';

/** The read model of search: a document for each record that can be found. */
export const searchProjection = (sources: SearchSource[], upcasters: Upcasters): Projection => ({
  name: 'search',
  version: 1,
  tables: ['search_document'],
  streamTypes: sources.map(({ streamType }) => streamType),
  async apply(tx, events) {
    for (const [organizationId, own] of groupBy(events, (event) => event.organization_id))
      for (const source of sources) {
        const ofSource = own.filter(({ stream_type }) => stream_type === source.streamType);
        if (ofSource.length > 0)
          await write(tx, organizationId, await source.changed(tx, organizationId, ofSource, upcasters));
      }
  },
});

async function write(tx: Transaction, organizationId: string, documents: Documents): Promise<void> {
  const rows: object[] = [];
  const gone: string[] = [];
  for (const [id, document] of documents)
    if (document && hasWords(document)) {
      rows.push({ id, occurred_at: document.occurred_at, tokens: await tokensOf(organizationId, document) });
    } else gone.push(id);
  if (rows.length > 0)
    await tx.query({
      name: 'upsert_search_document',
      // A row that stays the same is not written: each index would be, too.
      text: `INSERT INTO search_document AS kept (organization_id, id, occurred_at, tokens)
             SELECT $1, id, occurred_at, tokens
               FROM jsonb_to_recordset($2) AS told (id text, occurred_at timestamptz, tokens int[])
             ON CONFLICT (organization_id, id) DO UPDATE SET occurred_at = excluded.occurred_at, tokens = excluded.tokens
              WHERE (kept.occurred_at, kept.tokens) IS DISTINCT FROM (excluded.occurred_at, excluded.tokens)`,
      values: [organizationId, JSON.stringify(rows)],
    });
  for (const statement of deleteByIds('search_document', 'id', organizationId, gone))
    await tx.query(statement);
}
