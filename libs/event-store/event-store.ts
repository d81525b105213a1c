import type { Context } from '#kernel/context.js';
import type { DomainEvent } from '#kernel/decider.js';
import { Shares } from '#batching/shares.js';
import type { Database } from '#database/database.js';
import type { Transaction } from '#database/statements/statement.js';
import { untilDone } from '#database/refusal.js';
import type { Aggregate } from './aggregate.js';
import {
  type Alongside,
  type Append,
  appendTo,
  type PlanAppends,
  planAcross,
  planAppends,
  type Request,
} from './append.js';
import { AppendQueue } from './append-queue.js';
import type { Change, Versioned } from './change.js';
import { decideAsExpected } from './expectation.js';
import { learningLine } from './lines.js';
import { meaningOf, VersionConflict } from './refusal.js';
import { lockBeforePlan } from './lock-before-plan.js';
import { lockOf, sharedLockOf } from './lock.js';
import type { Required } from './required.js';
import { StreamReader } from './stream-reader.js';
import type { Upcasters } from './upcast.js';

/** Of the connections, the part that an organization's work with locks may have: what waits for a lock keeps its connection. */
const SHARE = 1 / 4;

/** Locks to hold while something is appended, and what must be true under them. */
export interface Guard {
  keys: string[];
  /** Throws when it is not. */
  check(tx: Transaction): Promise<void>;
}

/** Appends events together with the rows that follow from them, and reads streams. */
export class EventStore extends StreamReader {
  private readonly listeners: ((organizationId: string) => void)[] = [];
  private readonly plan: PlanAppends;
  private readonly queue: AppendQueue;
  private readonly shares: Shares;
  /** What errors of transactions mean to those whose appends they refuse. */
  private readonly meanings = new WeakMap<object, Error>();

  constructor(
    database: Database,
    upcasters: Upcasters,
    private readonly alongside: Alongside = () => [],
  ) {
    super(database, upcasters);
    this.plan = (requests, options) =>
      planAppends(requests, { upcasters, alongside, isDistributed: database.isDistributed }, options);
    this.queue = new AppendQueue(database, this.plan);
    this.shares = new Shares(Math.ceil(database.poolSize * SHARE));
  }

  /** Calls `listener` with the organization after each commit of this process, to wake up readers of the feed. */
  onCommit(listener: (organizationId: string) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Appends to several streams of one organization and writes their rows, atomically and in one round trip. Throws, with
   * nothing written, `VersionConflict` when a stream has moved on, and a requirement's own error when its record is
   * missing. In a unit of work it joins that transaction; otherwise it may share one with other appends of this process.
   */
  async append(context: Context, appends: Append[], guard?: Guard): Promise<Change[]> {
    if (guard)
      return this.exclusively(context.organizationId, guard.keys, async (tx) => {
        await guard.check(tx);
        return this.appendIn(tx, context, appends);
      });
    if (this.database.inUnitOfWork)
      return this.database.transaction((tx) => this.appendIn(tx, context, appends));
    const changes = await this.queue.append(context, appends).catch((error: Error) => {
      throw meaningOf(error, appends);
    });
    this.committed(context.organizationId);
    return changes;
  }

  /**
   * The same inside a transaction opened by `exclusively` that has not written yet. It goes out with the COMMIT, so its
   * errors are the transaction's; in a unit of work, which goes on, they are this call's.
   */
  async appendIn(tx: Transaction, context: Context, appends: Append[]): Promise<Change[]> {
    const [changes] = await this.appendAllIn(tx, [{ context, appends }]);
    return changes!;
  }

  /** The same for several requests of one organization; gives the changes of each. */
  async appendAllIn(tx: Transaction, requests: Request[]): Promise<Change[][]> {
    await lockBeforePlan(tx, requests);
    const { statements, changes } = this.plan(requests, { wait: true });
    const appends = requests.flatMap((request) => request.appends);
    const written = Promise.all(statements.map((statement) => tx.query(statement)))
      .catch(learningLine(requests[0]!.context.organizationId))
      .catch((error: Error) => {
        const meaning = meaningOf(error, appends);
        this.meanings.set(error, meaning);
        throw meaning;
      });
    written.catch(() => {});
    if (this.database.inUnitOfWork) await written;
    return changes;
  }

  /** The same for one request of each of several organizations. Resolves when all is written. */
  async appendAcross(tx: Transaction, requests: Request[]): Promise<void> {
    if (requests.length === 0) return;
    const { upcasters, alongside } = this;
    const statements =
      requests.length > 1
        ? planAcross(requests, { upcasters, alongside })
        : this.plan(requests, { wait: true }).statements;
    await Promise.all(statements.map((statement) => tx.query(statement))).catch(
      learningLine(requests[0]!.context.organizationId),
    );
  }

  /**
   * Runs `work` while it alone holds the named keys of the organization (stream ids or any other words). The locks are
   * advisory and draw no xid, so the append inside is still the transaction's first write. `work` may run more than once
   * and must change nothing outside the transaction. With `patienceMs` it fails (`isHeldUp`), with nothing written, after
   * waiting that long for a lock. However many of one organization contend, others find a connection.
   */
  async exclusively<Result>(
    organizationId: string,
    keys: string[],
    work: (tx: Transaction) => Promise<Result>,
    patienceMs?: number,
  ): Promise<Result> {
    const begin = patienceMs === undefined ? 'BEGIN' : `BEGIN; SET LOCAL lock_timeout = ${patienceMs}`;
    const locked = () =>
      this.database
        .transaction((tx) => {
          this.lock(tx, organizationId, keys);
          return work(tx);
        }, begin)
        .catch((error: Error) => {
          throw this.meanings.get(error) ?? error;
        });
    // Work that locks in stages can deadlock with other work. Whichever PostgreSQL ends runs again; a unit of work does so
    // as a whole.
    const result = this.database.inUnitOfWork
      ? await locked()
      : await this.shares.run(organizationId, () => untilDone(locked));
    this.committed(organizationId);
    return result;
  }

  /** Takes further locks inside `exclusively`. Everything asked for afterwards is read under them. */
  lock(tx: Transaction, organizationId: string, keys: string[]): void {
    // If it is refused, so is everything after it in the transaction.
    tx.query(lockOf(organizationId, keys)).catch(() => {});
  }

  /** The same with locks that many can share; whoever changes such a stream waits. */
  share(tx: Transaction, organizationId: string, keys: string[]): void {
    tx.query(sharedLockOf(organizationId, keys)).catch(() => {});
  }

  /**
   * Decides on the row of one stream and appends the events; gives the state and version after it. The first try is
   * optimistic (two round trips). If another writer was first, the second try holds the stream's lock while it reads and
   * decides, so it cannot lose again, however many compete. Throws `VersionMismatch` when the stream is not at a version
   * that the context expects, and a requirement's own error when its record is missing.
   */
  async change<State extends object, Event extends DomainEvent>(
    context: Context,
    aggregate: Aggregate<State, Event>,
    id: string,
    decide: (current: Versioned<State>) => Event[],
    requires: Required[] = [],
    guard?: Guard,
  ): Promise<Versioned<State>> {
    // In a unit of work a lost race would abort the whole unit, so the optimistic try is left out.
    const changed =
      this.database.inUnitOfWork || guard
        ? null
        : await this.changeIfFirst(context, aggregate, id, decide, requires);
    if (changed) return changed;
    const keys = [id, ...(guard?.keys ?? [])];
    return this.exclusively(context.organizationId, keys, async (tx) => {
      const latest = await this.load(tx, context.organizationId, aggregate, id);
      const decided = decideAsExpected(context, latest, decide);
      if (decided.length === 0) return latest;
      await guard?.check(tx);
      const append = appendTo(aggregate, id, latest, decided, requires);
      const [change] = await this.appendIn(tx, context, [append]);
      return change as Change<State>;
    });
  }

  /** The optimistic try of `change`; null when it lost the race. */
  private async changeIfFirst<State extends object, Event extends DomainEvent>(
    context: Context,
    aggregate: Aggregate<State, Event>,
    id: string,
    decide: (current: Versioned<State>) => Event[],
    requires: Required[],
  ): Promise<Versioned<State> | null> {
    const current = await this.latest(context.organizationId, aggregate, id);
    const events = decideAsExpected(context, current, decide);
    if (events.length === 0) return current;
    try {
      const [change] = await this.append(context, [appendTo(aggregate, id, current, events, requires)]);
      return change as Change<State>;
    } catch (error) {
      if (error instanceof VersionConflict) return null;
      throw error;
    }
  }

  private committed(organizationId: string): void {
    this.database.afterCommit(() => {
      for (const listener of this.listeners) listener(organizationId);
    });
  }
}
