import type pg from 'pg';
import type { Database } from '../database.js';
import { OwnConnection } from '../monitoring/own-connection.js';
import { newSession } from '../server-client.js';
import { Servers } from '../servers.js';
import { type Place, PLACE } from './position.js';
import { unfit } from './replica.js';
import { Replicas } from './replicas.js';
import { within } from './within.js';
import { NAME } from '#config/product.js';

const ANSWER_MS = 5_000;

/** What a server that answers has against the URL: the password, the user, or that there is no such database. */
const WRONG_URL = ['28P01', '28000', '3D000'];

/** A URL does not lead to a replica of the database; the message says which, and why. */
export class WrongReplica extends Error {}

/** Where the server at this URL is in its log. Throws `WrongReplica` when the server refuses the URL. */
export async function placeAt(url: string): Promise<Place> {
  const servers = new Servers(url);
  const connection = new OwnConnection(() => newSession(servers, `${NAME} replica check`));
  try {
    const [place] = await within(ANSWER_MS, connection.query<Place>(PLACE));
    return place!;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (!WRONG_URL.includes(code ?? '')) throw error;
    throw new WrongReplica(`the server at ${new URL(url).host} refuses it: ${message}`);
  } finally {
    connection.end();
  }
}

/** The cluster of the primary, which its replicas share. */
async function clusterOf(database: Database): Promise<string> {
  const [place] = await database.query<Place>({ text: PLACE });
  return place!.cluster;
}

/** Throws `WrongReplica` when what answers at this URL is no replica of the cluster; a server that is away may be one. */
async function requireReplica(url: string, cluster: string): Promise<void> {
  const place = await placeAt(url).catch((error: unknown) => {
    if (error instanceof WrongReplica) throw error;
    return null;
  });
  const trouble = place && unfit(place, cluster);
  if (trouble) throw new WrongReplica(`the server at ${new URL(url).host} ${trouble}`);
}

/** Lets the database be read from these replicas. Throws `WrongReplica` for a URL that leads to none. */
export async function openReplicas(
  database: Database,
  urls: string[],
  openPool: (url: string) => pg.Pool,
  log: { warn(text: string): void },
): Promise<void> {
  const cluster = await clusterOf(database);
  await Promise.all(urls.map((url) => requireReplica(url, cluster)));
  const replicas = new Replicas(
    database,
    urls.map((url) => ({ url, pool: openPool(url) })),
    log,
  );
  await replicas.start();
  database.replicas = replicas;
}
