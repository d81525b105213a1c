import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#database/database.js';
import { readWatermark } from '#event-store/feed.js';

/** Waits for as long as it takes; what ends a hopeless wait is the time limit of the test. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

/** Waits until readers of the feed may have every event. */
export const untilAllIsReadable = (database: Database) => until(() => isAllReadable(database));

/** Whether readers of the feed may have every event: transactions of other databases, too, hold the watermark back. */
export async function isAllReadable(database: Database): Promise<boolean> {
  const watermark = await readWatermark(database);
  const [row] = await database.query<{ readable: boolean }>({
    text: 'SELECT NOT EXISTS (SELECT tx FROM es_event WHERE tx >= $1::text::xid8) AS readable',
    values: [watermark],
  });
  return row!.readable;
}
