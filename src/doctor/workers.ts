import type { Alive } from '#database/monitoring/worker-liveness.js';
import { type Finding, warning, ok } from './finding.js';

/** Whether somebody does what requests leave for later; `processes` of Parley are connected to the database. */
export function judgeWorkers({ count, heartbeat_age_seconds }: Alive, processes: number): Finding {
  const check = 'workers';
  if (count > 0) return ok(check, count === 1 ? 'one runs' : `${count} run`);
  if (processes === 0) return ok(check, 'no process of Parley runs');
  const since =
    heartbeat_age_seconds === null
      ? 'none runs'
      : `none has given a sign of life for ${Math.round(heartbeat_age_seconds)} s`;
  return warning(
    check,
    `${since}: drafts, webhooks and read models wait`,
    'Start one with `npm run start:worker`; one that hangs has to be killed and started again.',
  );
}
