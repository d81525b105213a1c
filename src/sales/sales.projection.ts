import { deleteByIds } from '#database/by-ids.js';
import type { Statement } from '#database/statements/statement.js';
import type { Aggregate } from '#event-store/aggregate.js';
import type { Change } from '#event-store/change.js';
import { externalIdRows, externalIdTable } from '#event-store/external-ids.js';
import { type Revision, sale, type Sale, type SaleEvent } from './sale.js';

export const sales: Aggregate<Sale, SaleEvent> = {
  streamType: 'sale',
  evolve: sale.evolve,
  row: {
    table: 'sale',
    key: 'sale_id',
    stamped: true,
    columns: [
      'sale_id',
      'company_id',
      'owner_id',
      'associated_contacts',
      'associated_conversation_ids',
      'status_id',
      'status_history',
      'quote_details',
      'custom_fields',
      'created_at',
      'last_activity_at',
      'name',
      'expected_close_on',
      'closed_at',
      'external_id',
      'metadata',
      'merged_external_ids',
      'tags',
      'tag_ids',
    ],
  },
  alsoTables: ['sale_conversation', externalIdTable('sale')],
  also: (organizationId, changes) => [
    ...associations(organizationId, changes.filter(changedConversations)),
    ...externalIdRows(sales.row, organizationId, changes),
  ],
  guard: 'require_stages',
};

const changedConversations = ({ events }: Change<Sale, SaleEvent>): boolean =>
  events.some(
    (event) => event.type === 'SaleDeleted' || linksOf(event)?.associated_conversation_ids !== undefined,
  );

function linksOf({ type, data }: SaleEvent): Revision | undefined {
  if (type === 'SaleStageChanged') return data.revision;
  return type === 'SaleOpened' || type === 'SaleRevised' ? data : undefined;
}

/** Replaces the associations of these sales by their present ones. */
function associations(organizationId: string, changes: Change<Sale>[]): Statement[] {
  const rows = changes.flatMap(({ streamId, state }) =>
    (state?.associated_conversation_ids ?? []).map((conversation_id) => ({
      conversation_id,
      sale_id: streamId,
    })),
  );
  const known = changes.filter(({ before }) => before !== null).map(({ streamId }) => streamId);
  const statements: Statement[] = deleteByIds('sale_conversation', 'sale_id', organizationId, known);
  if (rows.length > 0)
    statements.push({
      name: 'note_sale_conversations',
      text: `INSERT INTO sale_conversation (organization_id, conversation_id, sale_id)
             SELECT $1, * FROM unnest($2::text[], $3::text[])`,
      values: [organizationId, rows.map((row) => row.conversation_id), rows.map((row) => row.sale_id)],
    });
  return statements;
}
