import type { Reader, Transaction } from '#database/statements/statement.js';
import { BEGINNING, type Cursor } from './feed.js';
import type { Projection } from './projection.js';

/** How far a projection has read the feed, and in which version. */
export interface Checkpoint extends Cursor {
  version: number;
}

const COLUMNS = 'version, tx::text AS tx, position';

/** The checkpoint; at the beginning for a projection that has never run. */
export async function readCheckpoint(reader: Reader, { name, version }: Projection): Promise<Checkpoint> {
  const [row] = await reader.query<Checkpoint>({
    name: 'es_checkpoint',
    text: `SELECT ${COLUMNS} FROM public.es_checkpoint WHERE projection = $1`,
    values: [name],
  });
  return row ?? { version, ...BEGINNING };
}

/** SQL: a lock that ends when the transaction is committed on all nodes of a cluster; that of a row ends before. */
const UNTIL_COMMITTED = `hashtextextended('checkpoint/' || $1, 0)`;

/** SQL: whoever commits a checkpoint has this lock alone, readers share it. */
const COMMITTING = `hashtextextended('committing/' || $1, 0)`;

/**
 * Call it before the commit of a checkpoint on a cluster, where the nodes commit one after the other: it waits for those who are reading,
 * and has later ones wait until all nodes are done.
 */
export async function keepReadersOut(tx: Transaction, { name }: Projection): Promise<void> {
  await tx.query({ text: `SELECT pg_advisory_xact_lock(${COMMITTING})`, values: [name] });
}

/** Call it first in a snapshot of a cluster: what the checkpoint tells of is then seen on every node. */
export async function waitForCommit(tx: Reader, { name }: Projection): Promise<void> {
  await tx.query({ text: `SELECT pg_advisory_xact_lock_shared(${COMMITTING})`, values: [name] });
}

/**
 * The checkpoint, locked until the transaction ends: its holder has the projection to itself. When another holds it, `skip`
 * gives null and `wait` waits.
 */
export async function lockCheckpoint(
  tx: Transaction,
  { name, version }: Projection,
  otherwise: 'skip' | 'wait',
): Promise<Checkpoint | null> {
  const lock = () =>
    tx.query<Checkpoint>({
      name: `es_lock_checkpoint_${otherwise}`,
      text:
        otherwise === 'wait'
          ? `SELECT ${COLUMNS} FROM es_checkpoint WHERE projection = $1 FOR UPDATE`
          : `SELECT ${COLUMNS} FROM es_checkpoint WHERE projection = $1 AND pg_try_advisory_xact_lock(${UNTIL_COMMITTED})
                FOR UPDATE SKIP LOCKED`,
      values: [name],
    });
  if (otherwise === 'wait')
    await tx.query({ text: `SELECT pg_advisory_xact_lock(${UNTIL_COMMITTED})`, values: [name] });
  const [known] = await lock();
  if (known) return known;
  await tx.query({
    text: `INSERT INTO es_checkpoint (projection, version, tx, position, updated_at)
           VALUES ($1, $2, $3::text::xid8, $4, now()) ON CONFLICT DO NOTHING`,
    values: [name, version, BEGINNING.tx, BEGINNING.position],
  });
  const [begun] = await lock();
  return begun ?? null;
}

/** Moves the checkpoint; the caller holds it. */
export async function saveCheckpoint(
  tx: Transaction,
  { name, version }: Projection,
  cursor: Cursor,
): Promise<void> {
  await tx.query({
    name: 'es_save_checkpoint',
    text: `UPDATE es_checkpoint SET version = $2, tx = $3::text::xid8, position = $4, updated_at = now()
            WHERE projection = $1`,
    values: [name, version, cursor.tx, cursor.position],
  });
}
