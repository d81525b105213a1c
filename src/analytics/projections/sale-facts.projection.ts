import type { StoredEvent } from '#kernel/context.js';
import { deleteById, deleteByIds, foundByIds } from '#database/by-ids.js';
import type { Statement, Transaction } from '#database/statements/statement.js';
import { type OrganizationBulk, rowsFor } from '#event-store/bulk.js';
import { groupBy } from '#event-store/group-by.js';
import { upsert } from '#event-store/rows.js';
import { sameValue } from '#kernel/same.js';
import type { SaleEvent } from '../../sales/sales.contract.js';
import type { FunnelInBulk } from './funnel-in-bulk.js';
import { recounting } from './funnel.projection.js';
import { gapOf, OPEN_GAP } from '../facts/gap-classes.js';
import { addToPeriods, periodRows } from './period-counts.projection.js';
import { SaleCounts } from '../rollups/sale-counts.js';
import { enteredBy, entriesOf, foldSale, type SaleFacts, staysOf } from '../facts/sale-facts.js';

export const SALE_TABLES = [
  'analytics_sale',
  'analytics_stay',
  'analytics_sale_conversation',
  'analytics_stay_period',
  'analytics_sale_period',
];

const FACT_COLUMNS = [
  'sale_id',
  'owner_id',
  'created_at',
  'currency',
  'total_price',
  'associated_conversation_ids',
  'status_history',
];

const SALE_COLUMNS = [...FACT_COLUMNS, 'quoted_at', 'accepted_at', 'labelled_accepted_at'];

const LINK_COLUMNS = ['conversation_id', 'entered', 'sale_id'];

const STAY_COLUMNS = [
  'sale_id',
  'status_id',
  'entered_at',
  'left_at',
  'gap',
  'owner_id',
  'currency',
  'total_price',
];

/** Updates the facts of sales, and the rows and sums that depend on them, by these events. */
export async function applySales(
  tx: Transaction,
  organizationId: string,
  events: StoredEvent<SaleEvent>[],
): Promise<void> {
  const changing = events.filter(({ type }) => type !== 'SaleContacted');
  const bySale = groupBy(changing, (event) => event.stream_id);
  if (bySale.length === 0) return;
  const known = await readSales(
    tx,
    organizationId,
    bySale.map(([id]) => id),
  );
  const told = bySale.map(([id, own]) => own.reduce(foldEvent, known.get(id) ?? null));
  const sales = told.filter((facts) => facts !== null);
  const kept = new Set(sales.map(({ sale_id }) => sale_id));
  const deleted = [...known.values()].filter(({ sale_id }) => !kept.has(sale_id));
  const rows = sales.map((facts) => saleRow(organizationId, facts));
  const linked = linkedOf([...rows, ...deleted.map((facts) => saleRow(organizationId, facts))], known);
  await recounting(tx, organizationId, linked, async () => {
    await write(tx, organizationId, rows, known);
    await forget(tx, organizationId, deleted);
  });
  const counts = new SaleCounts();
  for (const facts of [...sales, ...deleted]) counts.sale(known.get(facts.sale_id), -1);
  for (const facts of sales) counts.sale(facts, 1);
  await Promise.all(counts.tables.map((sums) => addToPeriods(tx, organizationId, sums)));
}

/** Sales that may count, with all conversations they are linked to or were linked to before. */
function linkedOf(rows: SaleRow[], known: Map<string, SaleFacts>) {
  const entered = rows.filter((row) => enteredBy(row).length > 0);
  const conversationIds = entered.flatMap(({ sale_id, associated_conversation_ids }) => [
    ...associated_conversation_ids,
    ...(known.get(sale_id)?.associated_conversation_ids ?? []),
  ]);
  return {
    conversationIds: [...new Set(conversationIds)],
    saleIds: entered.map(({ sale_id }) => sale_id),
  };
}

async function readSales(
  tx: Transaction,
  organizationId: string,
  ids: string[],
): Promise<Map<string, SaleFacts>> {
  const rows = await tx.query<SaleFacts>({
    text: `SELECT found.* FROM ${foundByIds('analytics_sale', 'sale_id', FACT_COLUMNS.join(', '))}`,
    values: [organizationId, ids],
  });
  return new Map(rows.map((facts) => [facts.sale_id, facts]));
}

/** Writes the sales, and those of their dependent rows that differ from before. */
async function write(
  tx: Transaction,
  organization_id: string,
  sales: SaleRow[],
  known: Map<string, SaleFacts>,
): Promise<void> {
  const changed = sales.map((sale) => ({ sale, before: known.get(sale.sale_id) }));
  const stays = changed.flatMap(({ sale, before }) => changedStays(organization_id, sale, before));
  const relinked = changed.filter(({ sale, before }) => isRelinked(organization_id, sale, before));
  const links = relinked.flatMap(({ sale }) => linkRows(sale));
  const writes: Statement[] = [upsert('analytics_sale', ['sale_id'], SALE_COLUMNS, organization_id, sales)];
  if (stays.length > 0)
    writes.push(upsert('analytics_stay', ['sale_id', 'status_id'], STAY_COLUMNS, organization_id, stays));
  for (const { sale } of relinked)
    writes.push({
      text: deleteById('analytics_sale_conversation', 'sale_id'),
      values: [organization_id, sale.sale_id],
    });
  if (links.length > 0)
    writes.push({
      name: 'analytics_link_sales',
      text: `INSERT INTO analytics_sale_conversation (organization_id, ${LINK_COLUMNS.join(', ')})
             SELECT $1, ${LINK_COLUMNS.join(', ')} FROM jsonb_populate_recordset(NULL::analytics_sale_conversation, $2)`,
      values: [organization_id, JSON.stringify(links)],
    });
  await Promise.all(writes.map((one) => tx.query(one)));
}

/** Deletes the facts of deleted sales, and the rows that depend on them. */
async function forget(tx: Transaction, organizationId: string, deleted: SaleFacts[]): Promise<void> {
  const ids = deleted.map(({ sale_id }) => sale_id);
  const tables = ['analytics_sale', 'analytics_stay', 'analytics_sale_conversation'];
  const statements = tables.flatMap((table) => deleteByIds(table, 'sale_id', organizationId, ids));
  await Promise.all(statements.map((one) => tx.query(one)));
}

/** New and changed stays. A stay never goes, as no stage leaves a sale's history. */
function changedStays(organization_id: string, sale: SaleFacts, before: SaleFacts | undefined) {
  const known = before ? stayRows(organization_id, before) : [];
  return stayRows(organization_id, sale).filter((stay) => !known.some((one) => sameValue(one, stay)));
}

const isRelinked = (organization_id: string, sale: SaleRow, before: SaleFacts | undefined): boolean =>
  !sameValue(linkRows(sale), before ? linkRows(saleRow(organization_id, before)) : []);

type SaleRow = ReturnType<typeof saleRow>;

const saleRow = (organization_id: string, facts: SaleFacts) => ({
  organization_id,
  ...facts,
  ...entriesOf(facts),
});

const stayRows = (organization_id: string, facts: SaleFacts) => {
  const { sale_id, owner_id, currency, total_price } = facts;
  return staysOf(facts).map((stay) => ({
    organization_id,
    sale_id,
    ...stay,
    gap: stay.left_at === null ? OPEN_GAP : gapOf(stay.entered_at, stay.left_at),
    owner_id,
    currency,
    total_price,
  }));
};

const linkRows = (sale: SaleRow) => {
  const { organization_id, sale_id, associated_conversation_ids } = sale;
  return [...new Set(associated_conversation_ids)].flatMap((conversation_id) =>
    enteredBy(sale).map((entered) => ({ organization_id, conversation_id, entered, sale_id })),
  );
};

/** Builds the facts of an organization's sales from whole streams. */
export function salesInBulk(organizationId: string, funnel: FunnelInBulk): OrganizationBulk {
  const counts = new SaleCounts();
  return {
    add(streams) {
      const sales = streams.map((events) => events.reduce(foldEvent, null)).filter((facts) => facts !== null);
      for (const facts of sales) counts.sale(facts, 1);
      const rows = sales.map((facts) => saleRow(organizationId, facts));
      for (const row of rows) funnel.sale(row);
      return [
        rowsFor('analytics_sale', SALE_COLUMNS, rows),
        rowsFor(
          'analytics_stay',
          STAY_COLUMNS,
          sales.flatMap((facts) => stayRows(organizationId, facts)),
        ),
        rowsFor('analytics_sale_conversation', LINK_COLUMNS, rows.flatMap(linkRows)),
      ];
    },
    end: () => counts.tables.map((sums) => periodRows(organizationId, sums)),
  };
}

const foldEvent = (facts: SaleFacts | null, event: StoredEvent) => foldSale(facts, event as SaleEvent);
