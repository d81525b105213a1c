import pg from 'pg';
import { hostOf } from '#config/database-address.js';
import type { Servers } from './servers.js';
import { CONNECT_MS, POOLED_STARTUP, SETTINGS } from './settings.js';
import { streamOf } from './statements/driver.js';

export interface ServerClientConfig extends pg.ClientConfig {
  servers: Servers;
  /** Settings of the session, such as `timezone=UTC`, over those of the URL. */
  settings: readonly string[];
  /** Where the way leads through a pooler: parameters of the startup message beside the driver's own. */
  startup?: Readonly<Record<string, string>>;
}

/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';
/** SQLSTATEs of a server that shuts down, crashes or starts. */
const GOING = /^57P0[123]$/;

/** What the driver's client and its connection have beside what its types tell. */
interface Inner {
  connection: {
    parse(statement: { name?: string }): void;
    close(what: { type: 'S'; name: string }): void;
    on(event: 'end', listener: () => void): void;
    on(event: 'error' | 'errorMessage', listener: (error: { code?: string }) => void): void;
    on(
      event: 'parameterStatus',
      listener: (status: { parameterName: string; parameterValue: string }) => void,
    ): void;
  };
  getStartupConf(): Record<string, string>;
}

/**
 * A connection to the server of a database that is in use when it is made. It tells when that server is lost, and ends when another
 * one is used instead.
 */
export class ServerClient extends pg.Client {
  private readonly url: string;
  private isEnding = false;

  constructor(config: ServerClientConfig) {
    const { servers, settings, startup } = config;
    const { url } = servers;
    super({ ...config, connectionString: withSettings(url, settings) });
    this.url = url;
    if (startup) suitPooler(this as unknown as Inner, startup);
    if (servers.areSeveral) this.watch(servers);
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.isEnding = true;
    return callback ? super.end(callback) : super.end();
  }

  private watch(servers: Servers): void {
    const { url } = this;
    const { connection } = this as unknown as Inner;
    const connected = { url, cut: () => this.cut(`another server than ${hostOf(url)} is used now`) };
    servers.add(connected);
    connection.on('end', () => {
      servers.remove(connected);
      if (!this.isEnding) servers.suspect(url);
    });
    connection.on('error', () => servers.suspect(url));
    connection.on('errorMessage', ({ code = '' }) => {
      if (code === READ_ONLY || GOING.test(code)) servers.suspect(url);
    });
    if (servers.refusesReplicas)
      connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
        if (parameterName === 'in_hot_standby' && parameterValue === 'on')
          this.cut(`${hostOf(url)} is a read-only replica`);
      });
  }

  private cut(reason: string): void {
    streamOf(this).destroy(Object.assign(new Error(reason), { code: 'ECONNRESET' }));
  }
}

/**
 * A connection beside the pools, before it is opened; `name` is its own in `pg_stat_activity`. Through a pooler it has the settings
 * that a pooler keeps, and no session.
 */
export function newSession(servers: Servers, name: string, { isPooled = false } = {}): pg.Client {
  const client = new ServerClient({
    servers,
    ...(isPooled ? { settings: [], startup: POOLED_STARTUP } : { settings: SETTINGS }),
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  // The loss of a connection fails its statements. Without a listener the process would end.
  return client.on('error', () => {});
}

/** Adds settings to the URL's own `options`, which would replace options given beside the URL. */
export function withSettings(url: string, settings: readonly string[]): string {
  if (settings.length === 0) return url;
  const ours = settings.map((setting) => `-c ${setting}`).join(' ');
  const [named, begin, given] = /([?&]options=)([^&#]*)/.exec(url) ?? [];
  if (named === undefined) return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(ours)}`;
  const both = `${decodeURIComponent(given!.replaceAll('+', ' '))} ${ours}`;
  return url.replace(named, () => begin! + encodeURIComponent(both));
}

/**
 * A pooler takes a name for prepared as soon as it is asked for, and ends the connection when it is asked again. The driver asks again
 * for what the server has refused, such as in a transaction that had failed: so the name is given up first.
 */
function suitPooler(client: Inner, parameters: Readonly<Record<string, string>>): void {
  const { connection } = client;
  const parse = connection.parse.bind(connection);
  const asked = new Set<string>();
  connection.parse = (statement) => {
    const { name } = statement;
    if (name) {
      if (asked.has(name)) connection.close({ type: 'S', name });
      asked.add(name);
    }
    parse(statement);
  };
  const own = client.getStartupConf.bind(client);
  client.getStartupConf = () => ({ ...own(), ...parameters });
}
