import { createHash } from 'node:crypto';
import type { Reader, Statement } from '#database/statements/statement.js';
import type { Referenced } from '#kernel/external-reference.js';
import type { Change } from './change.js';
import type { Guard } from './event-store.js';
import { lookupRows } from './lookup-rows.js';
import type { AnyRowTable } from './rows.js';

type Table = Pick<AnyRowTable, 'table' | 'key'>;

/** The table that finds an aggregate's records by external id. */
export const externalIdTable = (table: string): string => `${table}_external_id`;

/** An external id as it is looked for: any text of up to 4,000 bytes, and an index entry has room for 2,700. */
const externalIdKey = (externalId: string): string => createHash('sha256').update(externalId).digest('hex');

/** The guard of whoever gives a record an external id. */
export interface Claim extends Guard {
  /** The error when this other record has it. */
  taken(its: string): Error;
}

/** Claims an external id for the record `id`; `taken` is the error when another has it. */
export const claiming = (
  { table, key }: Table,
  organizationId: string,
  id: string,
  externalId: string,
  taken: (its: string) => Error,
): Claim => ({
  keys: [`external_id:${table}:${externalIdKey(externalId)}`],
  taken,
  async check(tx) {
    const its = await recordWithExternalId(tx, { table, key }, organizationId, externalId);
    if (its !== undefined && its !== id) throw taken(its);
  },
});

/** The statements that keep the table of external ids up with these changes. */
export const externalIdRows = (
  { table, key }: Table,
  organizationId: string,
  changes: Change<Referenced>[],
): Statement[] =>
  lookupRows(
    { table: externalIdTable(table), column: 'external_key', key },
    organizationId,
    changes,
    (state) => idsOf(state).map(externalIdKey),
  );

const idsOf = ({ external_id, merged_external_ids }: Referenced): string[] => [
  ...(external_id === null ? [] : [external_id]),
  ...merged_external_ids,
];

/** The record of the table that has this external id, or had it when it was merged. */
export async function recordWithExternalId(
  reader: Reader,
  { table, key }: Table,
  organizationId: string,
  externalId: string,
): Promise<string | undefined> {
  const [row] = await reader.query<{ id: string }>({
    name: `by_${externalIdTable(table)}`,
    text: `SELECT ${key} AS id FROM ${externalIdTable(table)} WHERE organization_id = $1 AND external_key = $2`,
    values: [organizationId, externalIdKey(externalId)],
    share: { types: ['text', 'text'] },
  });
  return row?.id;
}

/** Narrows a list of the table to the record with this external id (a condition of `Pages.read`). */
export const hasExternalId = (
  { table, key }: Table,
  externalId: string | undefined,
): [sql: string, value: string | undefined] => [
  `${key} = ANY (ARRAY(SELECT ${key} FROM ${externalIdTable(table)} its
                  WHERE its.organization_id = $1 AND its.external_key = ?))`,
  externalId === undefined ? undefined : externalIdKey(externalId),
];
