import type pg from 'pg';
import { type Answered, queryOf, streamOf } from './statements/driver.js';
import {
  apart,
  groupOf,
  isShareable,
  type RowOf,
  type Shareable,
  together,
} from './statements/shared-statement.js';
import type { inProgress, Statement, Transaction } from './statements/statement.js';

interface Waiting {
  statement: Shareable;
  resolve: (rows: never[]) => void;
  reject: (error: unknown) => void;
}

/** A transaction on one connection, from its BEGIN to its end. */
export class OpenTransaction implements Transaction {
  declare readonly [inProgress]: true;
  /** The error of the first statement that failed. */
  failure?: Error;
  private ended = false;
  /** Whether a statement was issued in this turn. */
  private busy = false;
  /** Statements of this turn that may share one, by name and organization. */
  private readonly shared = new Map<string, Waiting[]>();

  constructor(
    private readonly client: pg.PoolClient,
    begin: string,
  ) {
    void this.send({ text: begin });
  }

  query<Row>(statement: Statement): Promise<Row[]> {
    // When one branch of the work has failed, another that goes on must not write outside this transaction.
    if (this.ended) return Promise.reject(new Error('the transaction has ended'));
    if (isShareable(statement)) return this.share(statement);
    // Keeps the order: reads asked for before go out before.
    this.sendShared();
    return this.send(statement);
  }

  /** Takes no further statements. */
  end(): void {
    this.sendShared();
    this.ended = true;
  }

  private share<Row>(statement: Shareable): Promise<Row[]> {
    this.holdUntilNextTurn();
    const rows = new Promise<Row[]>((resolve, reject) => {
      const key = groupOf(statement);
      const waiting = this.shared.get(key) ?? [];
      this.shared.set(key, waiting);
      waiting.push({ statement, resolve, reject });
    });
    return this.noted(rows);
  }

  /** Sends locks first, as the reads of the same turn may rely on them. */
  private sendShared(): void {
    if (this.shared.size === 0) return;
    const groups = [...this.shared.values()];
    this.shared.clear();
    const isLock = ([first]: Waiting[]) => first!.statement.share.isLock === true;
    for (const group of groups.filter(isLock)) this.sendTogether(group);
    for (const group of groups.filter((one) => !isLock(one))) this.sendTogether(group);
  }

  private sendTogether(group: Waiting[]): void {
    if (group.length === 1) {
      const [{ statement, resolve, reject }] = group as [Waiting];
      this.send<never>(statement).then(resolve, reject);
      return;
    }
    this.send<RowOf>(together(group.map(({ statement }) => statement))).then(
      (rows) => apart(rows, group.length).forEach((own, nr) => group[nr]!.resolve(own as never[])),
      (failure: unknown) => {
        for (const { reject } of group) reject(failure);
      },
    );
  }

  private send<Row>(statement: Statement): Promise<Row[]> {
    this.holdUntilNextTurn();
    const rows = new Promise<Row[]>((resolve, reject) => {
      const answered: Answered = (error, rows) => (error ? reject(error) : resolve(rows as Row[]));
      this.client.query(queryOf(statement, answered));
    });
    return this.noted(rows);
  }

  /** A pipelined statement may fail with nobody awaiting it; COMMIT tells the failure in any case. */
  private noted<Row>(rows: Promise<Row[]>): Promise<Row[]> {
    rows.catch((failure: Error) => (this.failure ??= failure));
    return rows;
  }

  /** Sends all statements of one turn in one packet: each packet costs a system call and wakes up the server. */
  private holdUntilNextTurn(): void {
    if (this.busy) return;
    this.busy = true;
    const stream = streamOf(this.client);
    stream.cork();
    process.nextTick(() => {
      this.sendShared();
      this.busy = false;
      stream.uncork();
    });
  }
}
