import { emailChannel, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { type Collector, type Span, startCollector } from '../support/stand-ins/collector.js';
import { firstMessage } from '../support/data/message-drafts.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

let collector: Collector;
let smtp: TestSmtp;
let server: Server;
let workspace: Workspace;

beforeAll(async () => {
  [collector, smtp] = [await startCollector(), await startSmtp()];
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
  server = await startServer({ env });
  workspace = await newWorkspace({ url: server.url });
  await emailChannel(workspace, smtp.port);
});

afterAll(async () => {
  await server.stop();
  await smtp.close();
  await collector.close();
  removeDataDir(server.dataDir);
});

const inTrace = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
const named = (spans: Span[], name: string) => spans.find((span) => span.name === name);
const children = (parent: Span) => collector.spans.filter((span) => span.parentSpanId === parent.spanId);

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('a draft is one trace: request, command, statements, job and provider', async () => {
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
    const answer = await workspace.api.send('POST', 'message-drafts', { body: firstMessage(), headers });
    expect(answer.status).toBe(201);
    const requested = 'POST /api/v2/organizations/:organization_id/message-drafts';
    // Either may end first.
    await until(() => [requested, 'job delivery'].every((name) => named(inTrace(TRACE), name)));
    const spans = inTrace(TRACE);

    const request = named(spans, requested)!;
    expect(request).toMatchObject({ parentSpanId: CALLER, kind: 2 });
    expect(request.attributes).toMatchObject({
      'http.response.status_code': 201,
      'parley.request_id': answer.headers.get('x-request-id'),
    });
    const command = named(children(request), 'command CreateMessageDraft')!;
    const append = children(command).find(({ name }) => /^sql (append_upsert_|es_append$)/.test(name))!;
    expect(append.kind).toBe(3);
    expect(append.attributes['db.query.text']).toMatch(/es_append/);

    const job = named(spans, 'job delivery')!;
    expect(job).toMatchObject({ parentSpanId: request.spanId, kind: 5 });
    expect(job.attributes['parley.draft_id']).toBe(answer.body.draft_id);
    expect(named(children(job), 'provider smtp')).toMatchObject({ kind: 3 });
    expect([...collector.services]).toEqual(['parley']);
  });

  it('a request without a traceparent begins a trace, by its route and not its URL', async () => {
    const answer = await workspace.api.get('contacts/contact_nowhere');
    const mine = (span: Span) => span.attributes['parley.request_id'] === answer.headers.get('x-request-id');
    await until(() => collector.spans.some(mine));
    const span = collector.spans.find(mine)!;
    expect(span.name).toBe('GET /api/v2/organizations/:organization_id/contacts/:contact_id');
    expect(span.parentSpanId ?? '').toBe('');
    expect(span.attributes['http.response.status_code']).toBe(404);
  });

  it('a body that is read over several turns stays part of its request', async () => {
    const traceId = TRACE.replace('4', '5');
    const headers = { traceparent: `00-${traceId}-${CALLER}-01` };
    const body = { title: 'Long', notes: 'x'.repeat(900_000) };
    expect((await workspace.api.send('POST', 'tasks', { body, headers })).status).toBe(201);
    await until(() => named(inTrace(traceId), 'command CreateTask') !== undefined);
  });

  it('no value of a statement is told', async () => {
    const traceId = TRACE.replace('4', '6');
    const headers = { traceparent: `00-${traceId}-${CALLER}-01` };
    await workspace.api.send('POST', 'contacts', { body: { name: 'Secretive' }, headers });
    await until(() => named(inTrace(traceId), 'command CreateContact') !== undefined);
    expect(JSON.stringify(inTrace(traceId))).not.toContain('Secretive');
  });

  it('a collector that is away is missed by nobody', async () => {
    await collector.close();
    for (let nr = 0; nr < 20; nr++) await ok(workspace.api.post('contacts', { name: `Contact ${nr}` }));
    await server.stop();
    expect(server.ended()).toBe(0);
  });
});
