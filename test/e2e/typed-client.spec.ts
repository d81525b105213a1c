import createClient from 'openapi-fetch';
import type { paths } from '../../libs/client/api.generated.js';
import { newWorkspace, sharedUrl, type Workspace } from '../support/clients/client.js';
import { until } from '../support/until.js';

// Types made from docs/openapi.json by openapi-typescript: that this compiles is half of the test.

let workspace: Workspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const clientOf = ({ key }: Workspace) =>
  createClient<paths, 'application/json' | 'application/problem+json'>({
    baseUrl: sharedUrl(),
    headers: { 'X-API-KEY': key },
  });

/** What a call has answered. Throws with the problem otherwise. */
async function given<Data>(asked: Promise<{ data?: Data; error?: unknown; response: Response }>) {
  const { data, error, response } = await asked;
  if (data === undefined) throw new Error(`${response.status} ${JSON.stringify(error)}`);
  return { data, response };
}

it('a client that is generated from the document goes from a first message to a sale and its figures', async () => {
  const api = clientOf(workspace);
  const { data: organizations } = await given(api.GET('/api/v2/organizations'));
  const { organization_id } = organizations.data[0]!;
  const path = { organization_id };

  const { data: contact } = await given(
    api.POST('/api/v2/organizations/{organization_id}/contacts', {
      params: { path, header: { 'Idempotency-Key': 'first-contact' } },
      body: { name: 'Grace Hopper', email: 'grace@navy.example', company_id: null },
    }),
  );
  const { contact_id } = contact;
  const { data: message } = await given(
    api.POST('/api/v2/organizations/{organization_id}/messages', {
      params: { path },
      body: {
        modality: 'email',
        message_direction: 'received',
        content: 'In blue?',
        contact: { contact_id },
        sent_at: '2026-01-05T09:00:00Z',
      },
    }),
  );
  const { conversation_id } = message;
  const { data: draft } = await given(
    api.POST('/api/v2/organizations/{organization_id}/conversations/{conversation_id}/response-drafts', {
      params: { path: { ...path, conversation_id } },
      body: { body_html: '<p>Yes, we do.</p>', cc_emails: ['ada@acme.example'] },
    }),
  );
  expect(draft).toMatchObject({ conversation_id, scheduled_to_send: false });

  const { data: stages } = await given(
    api.GET('/api/v2/organizations/{organization_id}/sale-statuses', { params: { path } }),
  );
  const [first, second] = stages.data;
  const { data: sale, response } = await given(
    api.POST('/api/v2/organizations/{organization_id}/sales', {
      params: { path },
      body: {
        status_id: first!.status_id,
        associated_contacts: [{ contact_id }],
        conversation_ids: [conversation_id],
      },
    }),
  );
  const change = (version: string) =>
    api.PATCH('/api/v2/organizations/{organization_id}/sales/{sale_id}', {
      params: { path: { ...path, sale_id: sale.sale_id }, header: { 'If-Match': version } },
      body: { status_id: second!.status_id },
    });
  const { data: moved } = await given(change(response.headers.get('etag')!));
  expect(moved.current_status?.label).toBe(second!.label);
  const stale = await change(response.headers.get('etag')!);
  expect(stale.error?.code).toBe('version_mismatch');

  const window = { start_date: '2026-01-01T00:00:00Z', end_date: '2026-02-01T00:00:00Z' };
  await until(async () => {
    const { data: figures } = await given(
      api.GET('/api/v2/organizations/{organization_id}/analytics/conversations', {
        params: { path, query: window },
      }),
    );
    return figures.volumeStats.numMessagesReceived === 1;
  });
  const { data: feed } = await given(
    api.GET('/api/v2/organizations/{organization_id}/events', { params: { path, query: { limit: 200 } } }),
  );
  // The type of an event tells the type of its data.
  const created = feed.data.flatMap((event) => (event.type === 'ContactCreated' ? [event.data.email] : []));
  expect(created).toEqual(['grace@navy.example']);
});
