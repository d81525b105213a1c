import { type Answer, Client, ok } from './client.js';

/** What a request by cookie needs besides. */
const CONSOLE = { 'x-parley-console': '1' };

/** Signs in with the key of a client. */
export const signIn = ({ url, headers }: Client): Promise<Answer> =>
  new Client(url, '', headers).post('/console/session');

/** The cookie that an answer sets: its pair, and its attributes, sorted. */
export function cookieOf({ headers }: Answer): { pair: string; attributes: string[] } {
  const [pair, ...attributes] = (headers.get('set-cookie') ?? '').split('; ');
  return { pair: pair!, attributes: attributes.sort() };
}

/** The same client by a new session of its key in place of the key. */
export async function signedIn(client: Client): Promise<Client> {
  const answer = await signIn(client);
  await ok(answer);
  return byCookie(client, cookieOf(answer).pair);
}

/** The same client with this cookie in place of its key. */
export const byCookie = (client: Client, cookie: string): Client =>
  client.with({ 'x-api-key': '', 'x-admin-key': '', ...CONSOLE, cookie });
