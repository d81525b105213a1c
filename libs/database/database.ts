import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type pg from 'pg';
import { NAME } from '#config/product.js';
import type { Instant } from '#kernel/instant.js';
import { copyInto } from './copy.js';
import { OpenTransaction } from './open-transaction.js';
import { isConsequence, untilDone } from './refusal.js';
import { PRIMARY, type ReadSource, type Replica } from './replicas/replica.js';
import type { Replicas } from './replicas/replicas.js';
import { cut, cutConnections, run, snapshot } from './run.js';
import { newSession } from './server-client.js';
import type { Servers } from './servers.js';
import { streamOf } from './statements/driver.js';
import type { Reader, Statement, Transaction } from './statements/statement.js';

/** A transaction that all statements issued during a piece of work join. */
interface Unit {
  tx: Transaction;
  /** Actions for after the commit. */
  followUps: (() => void)[];
}

/** The connection pool of a process to its primary, TypeORM's, used directly to prepare or pipeline statements; and what it reads from replicas. */
export class Database {
  private readonly pool: pg.Pool;
  private readonly units = new AsyncLocalStorage<Unit>();
  /** Connections beside the pool. */
  private readonly beside = new Set<pg.Client>();
  /** Null without any. */
  replicas: Replicas | null = null;

  constructor(
    readonly source: DataSource,
    /** Those that the pool connects to, or a pooler before them. */
    readonly servers: Servers,
    /** The servers themselves. */
    readonly direct: Servers,
    /** Whether the tables are distributed by organization over a cluster. */
    readonly isDistributed: boolean,
  ) {
    this.pool = (source.driver as unknown as { master: pg.Pool }).master;
  }

  /**
   * Runs `work` in one transaction that all its statements and transactions join. So parts that know nothing of one another
   * commit together, on one connection. After a deadlock it runs again.
   */
  unitOfWork<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return untilDone(async () => {
      const followUps: Unit['followUps'] = [];
      const result = await this.transaction((tx) => this.units.run({ tx, followUps }, () => work(tx)));
      for (const followUp of followUps) followUp();
      return result;
    });
  }

  /** Whether the running code is part of a unit of work. If so, an error of a statement ends the whole unit. */
  get inUnitOfWork(): boolean {
    return this.units.getStore() !== undefined;
  }

  /** Runs an action that may tell others only of committed changes: at once, or after the commit of a unit of work. */
  afterCommit(action: () => void): void {
    const unit = this.units.getStore();
    if (unit) unit.followUps.push(action);
    else action();
  }

  /** Runs one statement on any connection; a read of a request to a replica, if it may. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]> {
    const unit = this.units.getStore();
    if (unit) return unit.tx.query<Row>(statement);
    const { replica } = this;
    return replica
      ? replica.then((chosen) => this.queryOn<Row>(chosen, statement))
      : this.queryOn<Row>(null, statement);
  }

  /** Runs one statement on this replica or, when it fails there or there is none, on the primary. */
  async queryOn<Row = Record<string, unknown>>(
    replica: Replica | null,
    statement: Statement,
  ): Promise<Row[]> {
    if (this.replicas?.reading) this.replicas.count(replica);
    try {
      if (replica)
        try {
          return (await replica.query(statement)) as Row[];
        } catch {
          this.replicas?.fallBack('failed');
        }
      return (await run(this.pool, statement)) as Row[];
    } catch (error) {
      // Captured here, so that the stack leads to the caller.
      Error.captureStackTrace(error as Error);
      throw error;
    }
  }

  /** The replica that the running code reads from, null for the primary; undefined where there is nothing to choose from. */
  get replica(): Promise<Replica | null> | undefined {
    return this.replicas?.reading?.replica;
  }

  /** From now on the running request reads from the primary. */
  readLatest(): void {
    this.replicas?.reading?.leave();
  }

  /** Waits until whatever is visible now is so on the replicas, too: who is told of it reads it there. */
  async untilReplicated(): Promise<void> {
    await this.replicas?.untilReplayed();
  }

  /** Runs what must see the latest, such as what is remembered, or what outlives its request. */
  onPrimary<Result>(work: () => Result): Result {
    return this.replicas ? this.replicas.onPrimary(work) : work();
  }

  /** The current instant by the server's clock: what is due is told by it, as processes' clocks differ and may be wrong. */
  async now(): Promise<Instant> {
    const [row] = await this.query<{ now: Instant }>({
      name: 'now',
      text: 'SELECT clock_timestamp() AS now',
    });
    return row!.now;
  }

  /**
   * Runs `work` between BEGIN and COMMIT on one connection. An error rolls back and is thrown on. Statements that `work`
   * did not await go out together with the COMMIT; the error thrown is that of the first statement that failed.
   */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>, begin = 'BEGIN'): Promise<Result> {
    const unit = this.units.getStore();
    if (unit) return work(unit.tx);
    // What is read besides must see what is written here.
    this.readLatest();
    const client = await this.pool.connect();
    const tx = new OpenTransaction(client, begin);
    let broken: Error | undefined;
    try {
      const result = await work(tx).finally(() => tx.end());
      const { command } = await client.query('COMMIT');
      // PostgreSQL answers ROLLBACK to the COMMIT when a statement has failed and `work` went on regardless.
      if (command !== 'COMMIT') throw tx.failure ?? new Error('the transaction was rolled back');
      return result;
    } catch (error) {
      // A connection that cannot roll back must not go back to the pool with an open transaction.
      await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
      throw isConsequence(error) ? (tx.failure ?? error) : error;
    } finally {
      client.release(broken);
    }
  }

  /**
   * Runs `read` in a read-only transaction that `begin` opens, and tells it where it reads. The result is returned before the
   * transaction ends, as its end changes nothing. When a replica fails, `read` runs again, on the primary.
   */
  async snapshot<Result>(
    begin: string,
    read: (tx: Reader, source: ReadSource) => Promise<Result>,
  ): Promise<Result> {
    const replica = await this.replica;
    if (replica)
      try {
        return await replica.snapshot(begin, (tx) => read(tx, replica));
      } catch {
        this.replicas?.fallBack('failed');
      }
    return snapshot(this.pool, begin, (tx) => read(tx, PRIMARY));
  }

  /**
   * Runs all statements as one transaction in one network round trip. After the first error PostgreSQL refuses
   * the rest and turns COMMIT into ROLLBACK; that first error is thrown.
   */
  async atomically(statements: Statement[]): Promise<void> {
    const unit = this.units.getStore();
    if (unit) return void (await Promise.all(statements.map((statement) => unit.tx.query(statement))));
    this.readLatest();
    // One statement is a transaction by itself.
    if (statements.length === 1) return void (await this.query(statements[0]!));
    const client = await this.pool.connect();
    const failures: Error[] = [];
    let broken: Error | undefined;
    const send = (statement: Statement) =>
      client.query(statement).catch((failure: Error) => void failures.push(failure));
    const stream = streamOf(client);
    // Held back until the COMMIT is added, so that all goes out in one packet.
    stream.cork();
    try {
      const answers = [{ text: 'BEGIN' }, ...statements].map(send);
      // The driver refuses a malformed statement itself, in its next tick. The server never sees that one and would commit
      // the others.
      await nextTurn();
      const ended = client.query(failures.length === 0 ? 'COMMIT' : 'ROLLBACK');
      stream.uncork();
      await Promise.all([...answers, ended.catch((failure: Error) => failures.push((broken = failure)))]);
      if (failures.length > 0) throw failures[0]!;
    } finally {
      client.release(broken);
    }
  }

  /** Writes lines from `copyLines` in a transaction of their own: the cheapest way for the server to write many rows. */
  async copy(table: string, columns: readonly string[], lines: Buffer[]): Promise<void> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await copyInto(client, table, columns, lines);
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** A connection beside the pool, for session state such as advisory locks; the caller ends it. */
  async connect(): Promise<pg.Client> {
    const client = this.newClient();
    await client.connect();
    return client;
  }

  /** The same before it is opened; `name` is its own in `pg_stat_activity`. Through a pooler, as the pool's, it has no session. */
  newClient(name: string = NAME, servers: Servers = this.direct): pg.Client {
    const client = newSession(servers, name, { isPooled: servers !== this.direct });
    client.once('end', () => this.beside.delete(client));
    this.beside.add(client);
    return client;
  }

  /** Whether the pool's connections are those of a pooler, or may be. */
  get isPooled(): boolean {
    return this.servers !== this.direct;
  }

  /** How many connections there are at most. */
  get poolSize(): number {
    return this.pool.options.max;
  }

  /** Open connections, idle ones among them, and callers waiting for one. */
  usage(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.pool;
    return { total, idle, waiting };
  }

  /** Cuts all connections at once: statements that wait on them fail as when a connection is lost. */
  endConnections(): void {
    cutConnections(this.pool);
    for (const client of this.beside) cut(client);
  }

  async close(): Promise<void> {
    await this.source.destroy();
  }
}
