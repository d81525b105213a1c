import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPostgresBackend,
  Queue,
  setDefaultBackendFactory,
  Worker,
  type ConnectionOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { isReplica } from '#config/redis.js';

/** A queue is only a wake-up: what is to be done stands in the database, and a sweeper adds again what was lost. */
export interface JobQueue<Data> {
  /** Adds a job. One with the same id that has not finished is not added twice. Rejects when the queue is away. */
  add(id: string, data: Data): Promise<void>;
}

export interface JobsOptions {
  databaseUrl: string;
  redisUrl: string | null;
  onError: (error: Error) => void;
}

/** Connections of one backend (queue or worker) to PostgreSQL, beside the one it listens on. */
const POOL_SIZE = 3;

/** Connections of a process to PostgreSQL for two queues and their workers, each with one that it listens on; none with Redis. */
export const QUEUE_CONNECTIONS = 2 * (2 * POOL_SIZE + 1);

/** How long a job stays with a worker that has gone silent, and how often such jobs are looked for. */
const LOCK_MS = 10_000;
const STALLED_MS = 5_000;

/** A queue that is away does not answer to being closed, either; nothing is lost with it. */
const CLOSE_MS = 2_000;

/**
 * On an error that is none of the connection, such as tables that could not be made, BullMQ's loop asks again at once, and
 * for ever: nothing else of the process would have its turn. A worker with so many errors in so short a time is
 * replaced after a rest.
 */
const SPINNING = { errors: 20, withinMs: 200 };
const REST_MS = 1_000;

/** A queue that takes longer to say a word is away. */
const ANSWER_MS = 1_000;

/** The key by which it is seen whether Redis takes writes. */
const ALIVE = 'parley:alive';

/**
 * BullMQ on PostgreSQL, or on Redis when a URL is given. Jobs are tried once: retries belong to whoever owns the
 * job's row. Finished and failed jobs are removed at once, since a kept one would make `add` with its id a no-op.
 */
export class Jobs {
  private readonly queues: Queue[] = [];
  private readonly workers: Worker[] = [];
  private readonly connections: Redis[] = [];
  private stopped = false;

  constructor(private readonly options: JobsOptions) {
    if (options.redisUrl === null) setDefaultBackendFactory(createPostgresBackend);
    else setDefaultBackendFactory();
  }

  /** The queues that this process has opened. */
  get opened(): readonly Queue[] {
    return this.queues;
  }

  queue<Data>(name: string): JobQueue<Data> {
    const queue = new Queue(name, { connection: this.connection() });
    queue.on('error', this.options.onError);
    this.queues.push(queue);
    return {
      async add(id, data) {
        await queue.add(name, data, {
          jobId: id,
          attempts: 1,
          removeOnComplete: true,
          removeOnFail: true,
        });
      },
    };
  }

  /**
   * Calls `wake` for each job, once it is off the queue: while it was there, `add` with its id was a no-op, and what that
   * was to tell of is there to be seen now.
   */
  work<Data>(name: string, concurrency: number, wake: (data: Data) => void): void {
    if (this.stopped) return;
    const worker = new Worker<Data>(name, () => Promise.resolve(), {
      connection: this.connection(),
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
    });
    worker.on('completed', ({ data }) => wake(data));
    const isSpinning = tooMany(SPINNING);
    worker.on('error', (error) => {
      if (worker.closing) return;
      this.options.onError(error);
      if (!isSpinning()) return;
      this.workers.splice(this.workers.indexOf(worker as Worker), 1);
      void worker.close(true).catch(() => {});
      setTimeout(() => this.work(name, concurrency, wake), REST_MS).unref();
    });
    this.workers.push(worker as Worker);
  }

  /** Whether the queue takes what it is given, which a full Redis or a replica does not. In PostgreSQL it does when the database does. */
  async isUp(): Promise<boolean> {
    const [redis] = this.connections;
    if (!redis) return true;
    const silence = sleep(ANSWER_MS, 'silence', { ref: false });
    return (await Promise.race([redis.set(ALIVE, '').catch(() => 'refusal'), silence])) === 'OK';
  }

  /** Takes no further jobs and waits for the running ones. */
  async stopWorking(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.workers.splice(0).map((worker) => inTime(worker.close())));
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.stopWorking();
    await Promise.all(this.queues.splice(0).map((queue) => inTime(queue.close())));
    for (const redis of this.connections.splice(0)) redis.disconnect();
  }

  private connection(): ConnectionOptions {
    const { redisUrl, databaseUrl } = this.options;
    if (redisUrl !== null) {
      const redis = new Redis(redisUrl, { maxRetriesPerRequest: null, reconnectOnError: isReplica });
      this.connections.push(redis);
      return redis;
    }
    const pool = {
      connectionString: databaseUrl,
      schema: 'bullmq',
      max: POOL_SIZE,
      migrate: true,
      // BullMQ does not listen on the connections it has taken out, and one that is lost then would end the process.
      onConnect: (client: pg.PoolClient) => client.on('error', () => {}),
    };
    return pool;
  }
}

/** A function that tells, each time something goes wrong, whether that is too often. */
function tooMany({ errors, withinMs }: { errors: number; withinMs: number }): () => boolean {
  const times: number[] = [];
  return () => {
    times.push(performance.now());
    return times.length >= errors && times.at(-1)! - times.splice(0, 1)[0]! < withinMs;
  };
}

const inTime = (closing: Promise<unknown>): Promise<unknown> =>
  Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })]);
