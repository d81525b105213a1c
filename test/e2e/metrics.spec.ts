import { readFileSync } from 'node:fs';
import { Client, newWorkspace, sharedUrl } from '../support/clients/client.js';

const server = new Client(sharedUrl(), '');
const metrics = async (): Promise<string> => (await server.get('/metrics')).text;

describe('GET /metrics', () => {
  it("is in Prometheus' text format", async () => {
    const { status, headers, text } = await server.get('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#')))
      expect(line).toMatch(/^[a-z_:][a-z0-9_:]*(\{.*\})? [-+0-9.eE]+(Inf|NaN)?$/i);
  });

  it('counts requests by method, route template and status, and names no URL', async () => {
    const { api, organizationId } = await newWorkspace();
    await api.get('contacts/contact_x');
    const text = await metrics();
    expect(text).toMatch(
      /parley_http_request_duration_seconds_count\{method="GET",route="\/api\/v2\/organizations\/:organization_id\/contacts\/:contact_id",status="404"\} [1-9]/,
    );
    expect(text).not.toContain(organizationId);
  });

  it.each(['analytics', 'webhooks'])(
    'tells how far %s is behind, in seconds and events',
    async (projection) => {
      const text = await metrics();
      for (const unit of ['seconds', 'events'])
        expect(text).toMatch(
          new RegExp(`parley_projection_lag_${unit}\\{projection="${projection}"\\} [0-9.e-]+`),
        );
    },
  );

  it('has no metric of Parley that the guide does not explain', async () => {
    const guide = readFileSync('docs/operate.md', 'utf8');
    const named = [...(await metrics()).matchAll(/^# TYPE (parley_\w+) /gm)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !guide.includes(`\`${name}`))).toEqual([]);
  });

  it('has every metric that the alerts speak of', async () => {
    const alerts = readFileSync('docs/prometheus/alerts.yml', 'utf8');
    const named = new Set(alerts.match(/\b(?:parley|nodejs|process)_[a-z0-9_]+/g));
    expect(named.size).toBeGreaterThan(5);
    const text = await metrics();
    for (const name of named)
      expect([name, text.includes(`# TYPE ${name.replace(/_count$/, '')} `)]).toEqual([name, true]);
  });
});
