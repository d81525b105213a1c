import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CERTIFICATE,
  CERTIFICATE_KEY,
  LOCAL_CERTIFICATE,
  LOCAL_CERTIFICATE_KEY,
} from '../support/stand-ins/certificate.js';
import { type Json, newWorkspace, ok } from '../support/clients/client.js';
import { newWebhook, startReceiver, verified } from '../support/stand-ins/receiver.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

let server: Server;
beforeAll(async () => {
  const dataDir = readyDataDir();
  const NODE_EXTRA_CA_CERTS = join(dataDir, 'authorities.pem');
  writeFileSync(NODE_EXTRA_CA_CERTS, LOCAL_CERTIFICATE);
  server = await startServer({ dataDir, env: { NODE_EXTRA_CA_CERTS } });
});
afterAll(async () => {
  await server.stop();
  removeDataDir(server.dataDir);
});

/** A new contact's event and a receiver with this certificate; gives what became of it. */
async function delivered(tls: { cert: string; key: string }) {
  const receiver = await startReceiver(tls);
  const { api, adminApi } = await newWorkspace({ url: server.url });
  const webhook = await newWebhook(adminApi, { url: receiver.url });
  await ok(api.post('contacts', { name: 'Grace' }));
  const log = async (): Promise<Json[]> =>
    (await ok(adminApi.get(`webhooks/${webhook.webhook_id}/deliveries`))).data;
  await until(async () => (await log()).some(({ last_attempt_at }) => last_attempt_at !== null));
  const [delivery] = await log();
  await receiver.close();
  return { webhook, delivery, seen: receiver.seen };
}

describe('an event', () => {
  it('is posted over TLS to a receiver whose certificate the process trusts', async () => {
    const { webhook, delivery, seen } = await delivered({
      cert: LOCAL_CERTIFICATE,
      key: LOCAL_CERTIFICATE_KEY,
    });
    expect(delivery).toMatchObject({ status: 'delivered' });
    expect(verified(webhook.secret, seen[0]!)).toMatchObject({ type: 'ContactCreated' });
  });

  it('is not posted to one whose certificate it does not trust, and the attempt says so', async () => {
    const { delivery, seen } = await delivered({ cert: CERTIFICATE, key: CERTIFICATE_KEY });
    expect(seen).toEqual([]);
    expect(delivery).toMatchObject({
      status: 'retrying',
      last_status_code: null,
      last_error: 'its certificate is not trusted: self-signed certificate',
    });
  });
});
