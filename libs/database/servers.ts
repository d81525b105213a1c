import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseAddress, DATABASE_URL_EXPECTED, hostOf } from '#config/database-address.js';
import { streamOf } from './statements/driver.js';

/** SQLSTATEs of a server that is starting (`cannot_connect_now`), and of one that takes no writes (`read_only_sql_transaction`). */
const STARTING = '57P03';
const READ_ONLY = '25006';
/** How long a server may take to say what it is. */
const ANSWER_MS = 2_000;
/** Pause after a look that found no server: whoever loses a connection meanwhile asks for another. */
const PAUSE_MS = 250;

/** A connection to one of the servers. */
interface Connected {
  url: string;
  /** Cuts it off, so that its statements fail as when the server goes away. */
  cut(): void;
}

/** None of the servers can be used; `code` is that of the first one's refusal, or of one that is starting. */
export class NoServer extends Error {
  constructor(
    message: string,
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

/**
 * The servers of a database and the one that is in use. When a connection fails, they are all asked, and the one that takes writes
 * is used from then on. With one server there is nothing to look for.
 */
export class Servers {
  /** Told when another server has taken over. */
  onMove: (from: string, to: string) => void = () => {};
  readonly shown: string;
  private readonly urls: string[];
  private readonly needsWriter: boolean;
  private readonly connections = new Set<Connected>();
  private current = 0;
  private looking: Promise<void> | null = null;

  constructor(text: string) {
    const address = databaseAddress(text);
    if (!address) throw new Error(DATABASE_URL_EXPECTED);
    this.urls = address.urls;
    this.needsWriter = address.needsWriter;
    this.shown = address.shown;
  }

  /** The server to connect to. */
  get url(): string {
    return this.urls[this.current]!;
  }

  get areSeveral(): boolean {
    return this.urls.length > 1;
  }

  /** Whether a server that takes no writes is of no use, since another one may take them. */
  get refusesReplicas(): boolean {
    return this.areSeveral && this.needsWriter;
  }

  add(connection: Connected): void {
    this.connections.add(connection);
  }

  remove(connection: Connected): void {
    this.connections.delete(connection);
  }

  /** Looks for another server, as this one has failed. */
  suspect(url: string): void {
    if (this.areSeveral && url === this.url) void this.look().catch(() => {});
  }

  /** Asks all servers and uses the one that serves. Throws `NoServer`. */
  look(): Promise<void> {
    if (!this.areSeveral) return Promise.resolve();
    this.looking ??= this.askAll().finally(() => (this.looking = null));
    return this.looking;
  }

  private async askAll(): Promise<void> {
    const answers = await Promise.all(this.urls.map(rankOf));
    const ranks = answers.map((answer) => {
      if (typeof answer !== 'number') return null;
      return answer === REPLICA && this.needsWriter ? null : answer;
    });
    const best = Math.max(...ranks.map((rank) => rank ?? -1));
    if (best >= 0) {
      const isCurrentBest = ranks[this.current] === best;
      return this.use(isCurrentBest ? this.current : ranks.indexOf(best));
    }
    await sleep(PAUSE_MS);
    const failures = answers.filter((answer) => typeof answer !== 'number');
    const told = answers.map((answer, nr) => `${hostOf(this.urls[nr]!)}: ${reasonOf(answer)}`);
    const [first] = failures;
    const { code } = failures.find((failure) => failure.code === STARTING) ?? first ?? { code: READ_ONLY };
    throw new NoServer(`none of the servers takes writes (${told.join('; ')})`, code);
  }

  private use(nr: number): void {
    if (nr === this.current) return;
    const [from, to] = [hostOf(this.url), hostOf(this.urls[nr]!)];
    this.current = nr;
    for (const connection of [...this.connections]) if (connection.url !== this.url) connection.cut();
    this.onMove(from, to);
  }
}

const REPLICA = 0;

/**
 * 0 for a server that takes no writes, else its timeline. Each server that takes the place of another has a higher one: so a former
 * primary that comes back and knows of nothing is not taken for the database.
 */
async function rankOf(url: string): Promise<number | (Error & { code?: string })> {
  const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const client = new pg.Client({ connectionString: url, ...limits });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ rank: number }>(
      `SELECT CASE WHEN pg_is_in_recovery() OR current_setting('transaction_read_only')::bool THEN ${REPLICA}
                   ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS rank`,
    );
    return rows[0]!.rank;
  } catch (error) {
    return error as Error;
  } finally {
    streamOf(client).destroy();
  }
}

const reasonOf = (answer: number | (Error & { code?: string })): string =>
  typeof answer === 'number' ? 'it is a read-only replica' : answer.message || (answer.code ?? answer.name);
