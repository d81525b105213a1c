import { useState } from 'preact/hooks';
import { edit, type Seen, seenAs } from '../data/edit.js';
import { notify, reasonOf } from '../data/notices.js';
import { ParleyError } from '../data/api.js';
import { type Calls, useCalls } from '../data/organization.js';
import type { Sale, Stage } from '../data/records.js';
import type { Rows } from '../data/rows.js';
import { endedBy } from '../data/session.js';
import { isAwaited, patch, patchAll, reloadAll } from '../data/store.js';
import { writing } from '../data/watched-fetch.js';
import { keyOfRecord } from '../records/use-records.js';
import { words } from '../words/words.js';
import { keyOfStage } from './use-board.js';
import { isWorthMore } from './sums.js';

const { pipeline: text } = words;

/** A sale with its stage under the name by which it is changed. */
type Staged = Sale & { status_id: string | null };

const stageOf = ({ current_status }: Sale): string | null => current_status?.status_id ?? null;
// The same object, which is known by its version.
const staged = (sale: Sale): Staged => Object.assign(sale, { status_id: stageOf(sale) });

export const nameOfSale = ({ name }: Pick<Sale, 'name'>): string => name ?? words.records.unnamedSale;

/** A move that met another person's: where it should go, and the sale as it is now. */
export interface MetMove {
  to: Stage;
  now: Seen<Sale>;
}

/** Moves sales from stage to stage: shown at once, taken back where it is refused, and asked about where another was faster. */
export function useMove(sort: string | undefined) {
  const calls = useCalls();
  const [met, setMet] = useState<MetMove | null>(null);
  const move = (sale: Sale, to: Stage, etag?: string): void => {
    if (stageOf(sale) === to.status_id) return;
    const takeBack = show({ ...sale, current_status: { ...to, changed_at: sale.last_activity_at } }, sort);
    const done = (moving.get(sale.sale_id) ?? Promise.resolve()).then(async () => {
      try {
        const outcome = await writing(() => moved(calls, sale, to, etag));
        const now = 'done' in outcome ? outcome.done : outcome.met;
        show({ ...sale, ...now.record }, sort);
        patch<Seen<Sale>>(keyOfRecord(sale.sale_id), () => now);
        if ('met' in outcome) setMet({ to, now });
        else void reloadAll('sales ');
      } catch (error) {
        takeBack();
        if (!endedBy(error)) notify(refusalOf(error, sale, to));
      }
    });
    moving.set(sale.sale_id, done);
    void done.finally(() => moving.get(sale.sale_id) === done && moving.delete(sale.sale_id));
  };
  const settle = (isMine: boolean) => {
    setMet(null);
    if (isMine && met) move(met.now.record, met.to, met.now.etag);
  };
  return { move, met, settle };
}

/** A second move of a sale waits for its first, which it would take for another person's. */
const moving = new Map<string, Promise<void>>();

async function moved(calls: Calls, seen: Sale, to: Stage, etag: string | undefined) {
  const params = { path: { sale_id: seen.sale_id } };
  const read = async () => staged(await calls.GET<Sale>('/sales/{sale_id}', { params }));
  const body = { status_id: to.status_id };
  const write = async (headers: Record<string, string>) =>
    staged(await calls.PATCH<Sale>('/sales/{sale_id}', { params, body, headers }));
  if (etag !== undefined)
    return edit<Staged>({ base: { record: staged(seen), etag }, changes: body, read, write });
  // A list tells no versions.
  const base = seenAs(await read());
  if (base.record.status_id === to.status_id) return { done: base };
  if (base.record.status_id !== stageOf(seen)) return { met: base };
  return edit<Staged>({ base, changes: body, read, write });
}

const refusalOf = (error: unknown, sale: Sale, to: Stage): string =>
  error instanceof ParleyError && error.code === 'stage_already_used'
    ? text.alreadyLeft(nameOfSale(sale), to.label)
    : words.refused(reasonOf(error));

/** Shows the sale in the column of its stage and in no other; gives what takes it back. */
function show(sale: Sale, sort: string | undefined): () => void {
  const is = (row: Sale) => row.sale_id === sale.sale_id;
  const column = keyOfStage(stageOf(sale) ?? '');
  const record = patch<Seen<Sale>>(keyOfRecord(sale.sale_id), (seen) => ({
    ...seen,
    record: { ...seen.record, current_status: sale.current_status },
  }));
  // A column that has not come yet cannot show it: until then it stays where it is.
  if (isAwaited(column)) return record;
  const undo = [
    patchAll<Rows<Sale>>('sales ', ({ rows, next }) => ({ rows: rows.filter((row) => !is(row)), next })),
    patchAll<Rows<Sale>>(column, ({ rows, next }) => ({ rows: placed(sale, rows, sort), next })),
    record,
  ];
  return () => undo.reverse().forEach((takeBack) => takeBack());
}

function placed(sale: Sale, rows: Sale[], sort: string | undefined): Sale[] {
  const isAfter = {
    '-value': (row: Sale) => isWorthMore(sale, row),
    '-created_at': (row: Sale) => sale.created_at > row.created_at,
  }[sort ?? ''];
  const at = isAfter ? rows.findIndex(isAfter) : 0;
  return at < 0 ? [...rows, sale] : rows.toSpliced(at, 0, sale);
}
