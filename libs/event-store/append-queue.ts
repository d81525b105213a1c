import type { Context } from '#kernel/context.js';
import { Batches } from '#database/batches.js';
import type { Database } from '#database/database.js';
import { isRefusal } from '#database/refusal.js';
import { type Append, planAppends, type Request } from './append.js';
import type { Change } from './change.js';
import type { Upcasters } from './upcast.js';

/** Requests that share a transaction at most. */
const LARGEST = 32;

const STREAM_HELD = 'PE003';
/** Refusals that name streams: not at the expected version, held by another transaction, in want of what they require. */
const NAMING_STREAMS = new Set(['PE002', STREAM_HELD, 'PE005']);

interface Waiting extends Request {
  resolve: (changes: Change[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Appends of one process. What is asked for while others are being written waits for them and then shares one
 * transaction: under load most of an append's cost is that of its transaction. Nothing waits for company, and nobody
 * waits or fails because of another: what cannot be written with the others is written alone.
 */
export class AppendQueue {
  private readonly batches = new Batches<Waiting>(takeBatch, (batch) => this.write(batch));

  constructor(
    private readonly database: Database,
    private readonly upcasters: Upcasters,
  ) {}

  /** Appends atomically; gives the changes when they are committed. */
  append(context: Context, appends: Append[]): Promise<Change[]> {
    return new Promise((resolve, reject) => {
      this.batches.add({ context, appends, resolve, reject });
    });
  }

  /** Never throws: each request is told how it went. Without `wait` what somebody else holds is left to be written alone. */
  private async write(batch: Waiting[], { wait } = { wait: false }): Promise<void> {
    try {
      const { statements, changes } = planAppends(batch, this.upcasters, { wait });
      await this.database.atomically(statements);
      batch.forEach(({ resolve }, index) => resolve(changes[index]!));
    } catch (error) {
      const isOwn = batch.length === 1 && (error as DatabaseRefusal).code !== STREAM_HELD;
      if (isOwn || !isRefusal(error)) for (const { reject } of batch) reject(error);
      else await this.writeApart(batch, error as DatabaseRefusal);
    }
  }

  /** Writes alone what the database has refused, or all where it does not say what; the others together again. */
  private async writeApart(batch: Waiting[], refusal: DatabaseRefusal): Promise<void> {
    const refused = refusedStreams(refusal);
    const isRefused = (request: Waiting) =>
      refused === null || streamsOf(request).some((name) => refused.has(name));
    const others = batch.filter((request) => !isRefused(request));
    // Not awaited by the lane: who waits for a stream that another transaction holds holds up nobody else.
    for (const request of batch.filter(isRefused)) void this.write([request], { wait: true });
    if (others.length > 0) await this.write(others);
  }
}

/** The longest waiting requests, of those that share a stream only the first. */
function takeBatch(waiting: Waiting[]): { batch: Waiting[]; left: Waiting[] } {
  const batch: Waiting[] = [];
  const left: Waiting[] = [];
  const streams = new Set<string>();
  for (const request of waiting) {
    const names = streamsOf(request);
    if (batch.length === LARGEST || names.some((name) => streams.has(name))) left.push(request);
    else {
      batch.push(request);
      for (const name of names) streams.add(name);
    }
  }
  return { batch, left };
}

const streamsOf = ({ context, appends }: Request): string[] =>
  appends.map(({ id }) => `${context.organizationId}/${id}`);

interface DatabaseRefusal {
  code: string;
  detail?: string;
}

function refusedStreams({ code, detail }: DatabaseRefusal): Set<string> | null {
  if (!NAMING_STREAMS.has(code)) return null;
  const streams = JSON.parse(detail!) as { organization_id: string; id: string }[];
  return new Set(streams.map(({ organization_id, id }) => `${organization_id}/${id}`));
}
