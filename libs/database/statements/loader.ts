import type { Database } from '../database.js';
import { isRefusal } from '../refusal.js';
import type { Replica } from '../replicas/replica.js';
import type { Statement } from './statement.js';

/** Runs a statement on the server that is read from. */
export type Query = <Row>(statement: Statement) => Promise<Row[]>;

/** Reads what a group asks for; gives what each one of it finds. */
type Load<Key, Found> = (query: Query, keys: Key[]) => Promise<(key: Key) => Found>;

interface Asked<Key, Found> {
  key: Key;
  resolve: (found: Found) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads by keys, each as it is when its statement begins, which is after the call. What one turn of the event loop asks for in
 * the same group is loaded together, as in a data loader (https://github.com/graphql/dataloader), but nothing is remembered.
 */
export class Loader<Key, Found> {
  /** What this turn has asked for, by the server that it may be read from (null: the primary) and group. */
  private asked = new Map<Replica | null, Map<string, Asked<Key, Found>[]>>();

  constructor(
    private readonly database: Database,
    private readonly load: Load<Key, Found>,
  ) {}

  /** What there is for the key. Keys of one group can be found by one statement. */
  one(group: string, key: Key): Promise<Found> {
    return new Promise((resolve, reject) => {
      const asked = { key, resolve, reject };
      // A unit of work sees what it has written itself, so it reads for itself.
      if (this.database.inUnitOfWork)
        return void this.read((statement) => this.database.query(statement), [asked]);
      const { replica } = this.database;
      if (replica) void replica.then((chosen) => this.ask(chosen, group, asked));
      else this.ask(null, group, asked);
    });
  }

  private ask(replica: Replica | null, group: string, asked: Asked<Key, Found>): void {
    if (this.asked.size === 0) setImmediate(() => this.readAll());
    const askedThere = this.asked.get(replica) ?? new Map<string, Asked<Key, Found>[]>();
    this.asked.set(replica, askedThere);
    const others = askedThere.get(group);
    if (others) others.push(asked);
    else askedThere.set(group, [asked]);
  }

  private readAll(): void {
    const { asked } = this;
    this.asked = new Map();
    for (const [replica, askedThere] of asked) {
      const query: Query = (statement) => this.database.queryOn(replica, statement);
      for (const group of askedThere.values()) void this.read(query, group);
    }
  }

  /** Never throws: each is told how it went. None fails because of another. */
  private async read(query: Query, group: Asked<Key, Found>[]): Promise<void> {
    try {
      const find = await this.load(
        query,
        group.map(({ key }) => key),
      );
      for (const { key, resolve } of group) resolve(find(key));
    } catch (error) {
      if (group.length === 1 || !isRefusal(error)) for (const { reject } of group) reject(error);
      else await Promise.all(group.map((one) => this.read(query, [one])));
    }
  }
}
