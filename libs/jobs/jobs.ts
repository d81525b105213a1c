import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPostgresBackend,
  Queue,
  runMigrations,
  setDefaultBackendFactory,
  Worker,
  type ConnectionOptions,
} from 'bullmq';
import pg from 'pg';
import { connectRedis, needsHashTags, type RedisClient } from '#config/redis.js';
import { ServerClient, type ServerClientConfig } from '#database/server-client.js';
import type { Servers } from '#database/servers.js';
import { RedisWatch } from './redis-watch.js';
import { NAME } from '#config/product.js';
import { type Instant, microsBetween, now } from '#kernel/instant.js';

/** A queue only wakes up: the database says what to do, and a sweeper adds again what was lost. */
export interface JobQueue<Data> {
  /** Adds a job, unless one with the same id has not finished. Rejects when the queue is away. */
  add(id: string, data: Data): Promise<void>;
  /**
   * Adds a job that is handed out at an instant of this process's clock, unless one with the same id waits. Never rejects, and
   * while many have not been confirmed adds none: who asks the database finds what no job has told of.
   */
  addAt(instant: Instant, id: string, data: Data): void;
}

export interface JobsOptions {
  /** Where the database is itself, as the queue listens. */
  servers: Servers;
  redisUrl: string | null;
  onError: (error: Error) => void;
  /** Told once when Redis goes away, and once when it is back; what fails meanwhile is not told. */
  onChange?: (isUp: boolean) => void;
}

/** Connections to PostgreSQL of all queues and workers of a process, including those on which workers listen. None with Redis. */
export const QUEUE_CONNECTIONS = 14;

/** Where BullMQ's statements find its tables. */
const SCHEMA = 'bullmq';

/** How long a silent worker keeps a job, and how often such jobs are looked for. */
const LOCK_MS = 10_000;
const STALLED_MS = 5_000;

/** A queue that is away does not answer a close, either. Giving up loses nothing. */
const CLOSE_MS = 2_000;

/**
 * After an error that is not the connection's, such as tables that could not be made, BullMQ asks again at once and for
 * ever, and nothing else in the process gets its turn. A worker with so many errors in so short a time is replaced after a
 * rest.
 */
const SPINNING = { errors: 20, withinMs: 200 };
const REST_MS = 1_000;

/** A queue that takes longer to answer counts as away. */
const ANSWER_MS = 1_000;

/** Jobs for later that a queue may have left unconfirmed: one that is away would gather them. */
const MOST_UNCONFIRMED = 1_000;
/** After its instant, in milliseconds: clocks differ a little, and what is not due yet would not be found. */
const MARGIN_MS = 10;

/** What the keys of the queues begin with; in a cluster all of them lie on one node, as BullMQ's scripts want it. */
const PREFIX = { alone: 'bull', inCluster: '{bull}' };

/**
 * BullMQ on PostgreSQL, or on Redis when a URL is given. Jobs are tried once: the owner of the job's row does retries.
 * Finished and failed jobs are removed at once, since `add` with the id of a kept one would do nothing.
 */
export class Jobs {
  private readonly queues: Queue[] = [];
  private readonly workers: Worker[] = [];
  private readonly connections: RedisClient[] = [];
  private pool: pg.Pool | null = null;
  private told: Error | null = null;
  private migrated: Promise<unknown> | null = null;
  private stopped = false;
  private readonly redis: RedisWatch;
  private readonly prefix: string;
  /** The key by which it is seen whether Redis takes writes; in a cluster on the node of the queues. */
  private readonly alive: string;

  constructor(private readonly options: JobsOptions) {
    this.redis = new RedisWatch((isUp) => options.onChange?.(isUp));
    const isInCluster = options.redisUrl !== null && needsHashTags(options.redisUrl);
    this.prefix = isInCluster ? PREFIX.inCluster : PREFIX.alone;
    this.alive = isInCluster ? `${PREFIX.inCluster}:${NAME}:alive` : `${NAME}:alive`;
    if (options.redisUrl === null) setDefaultBackendFactory(createPostgresBackend);
    else setDefaultBackendFactory();
  }

  /** The queues that this process has opened. */
  get opened(): readonly Queue[] {
    return this.queues;
  }

  queue<Data>(name: string): JobQueue<Data> {
    const queue = new Queue(name, { connection: this.connection(), prefix: this.prefix });
    queue.on('error', (error) => this.tell(error));
    this.queues.push(queue);
    const add = async (id: string, data: Data, delay = 0) => {
      const once = { attempts: 1, removeOnComplete: true, removeOnFail: true };
      await queue.add(name, data, { jobId: id, delay, ...once });
    };
    let unconfirmed = 0;
    return {
      add: (id, data) => add(id, data),
      addAt: (instant, id, data) => {
        if (unconfirmed >= MOST_UNCONFIRMED) return;
        unconfirmed++;
        const delay = Math.max(0, Math.ceil(Number(microsBetween(now(), instant)) / 1_000)) + MARGIN_MS;
        void add(id, data, delay)
          .catch((error: Error) => this.tell(error))
          .finally(() => unconfirmed--);
      },
    };
  }

  /**
   * Calls `wake` for each job after it left the queue. While it was there, `add` with its id did nothing; what such an
   * `add` meant to announce is in the database by now, for `wake` to find.
   */
  work<Data>(name: string, concurrency: number, wake: (data: Data) => void): void {
    if (this.stopped) return;
    const worker = new Worker<Data>(name, () => Promise.resolve(), {
      connection: this.connection(),
      prefix: this.prefix,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
    });
    worker.on('completed', ({ data }) => wake(data));
    const isSpinning = tooMany(SPINNING);
    worker.on('error', (error) => {
      if (worker.closing) return;
      this.tell(error);
      if (!isSpinning()) return;
      this.workers.splice(this.workers.indexOf(worker as Worker), 1);
      void worker.close(true).catch(() => {});
      setTimeout(() => this.work(name, concurrency, wake), REST_MS).unref();
    });
    this.workers.push(worker as Worker);
  }

  /** Whether the queue takes jobs, which a full Redis or a replica does not; on PostgreSQL always true, as it is up when the database is. */
  async isUp(): Promise<boolean> {
    const [redis] = this.connections;
    if (!redis) return true;
    const silence = sleep(ANSWER_MS, 'silence', { ref: false });
    return (await Promise.race([redis.set(this.alive, '').catch(() => 'refusal'), silence])) === 'OK';
  }

  /** Takes no further jobs and waits for the running ones. */
  async stopWorking(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.workers.splice(0).map((worker) => inTime(worker.close())));
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    this.redis.stop();
    await this.stopWorking();
    await Promise.all(this.queues.splice(0).map((queue) => inTime(queue.close())));
    for (const redis of this.connections.splice(0)) redis.disconnect();
    if (this.pool) await inTime(this.pool.end());
  }

  /** Queues and workers have one pool, and each of them reports what befalls its connections. */
  private tell(error: Error): void {
    if (error === this.told) return;
    this.told = error;
    if (this.options.redisUrl === null || !this.redis.covers(error)) this.options.onError(error);
  }

  private connection(): ConnectionOptions {
    const { redisUrl } = this.options;
    if (redisUrl !== null) {
      const redis = connectRedis(redisUrl, { maxRetriesPerRequest: null });
      this.connections.push(redis);
      this.redis.watch(redis);
      return redis;
    }
    this.pool ??= this.openPool();
    return this.pool;
  }

  private openPool(): pg.Pool {
    const options: pg.PoolConfig & ServerClientConfig = {
      Client: ServerClient as unknown as NonNullable<pg.PoolConfig['Client']>,
      servers: this.options.servers,
      settings: [`search_path=${SCHEMA}`],
      max: QUEUE_CONNECTIONS,
      keepAlive: true,
      // The pool waits for a promise, though its types do not say so.
      onConnect: (client): unknown => {
        // BullMQ has no error listener on connections it has taken out: a lost one would end the process.
        client.on('error', () => {});
        return this.makeTables(client);
      },
    };
    return new pg.Pool(options);
  }

  /** Once, before anything else is done on any connection. */
  private makeTables(client: pg.ClientBase): Promise<unknown> {
    this.migrated ??= runMigrations(client, SCHEMA).catch((error: Error) => {
      this.migrated = null;
      throw error;
    });
    return this.migrated;
  }
}

/** Makes a function to call at each error, which tells whether there were too many. */
function tooMany({ errors, withinMs }: { errors: number; withinMs: number }): () => boolean {
  const times: number[] = [];
  return () => {
    times.push(performance.now());
    return times.length >= errors && times.at(-1)! - times.splice(0, 1)[0]! < withinMs;
  };
}

const inTime = (closing: Promise<unknown>): Promise<unknown> =>
  Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })]);
