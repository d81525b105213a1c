import { auditOf } from '../support/clients/audit.js';
import {
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import {
  autosend,
  draftsOf,
  messagesOf,
  newMessageId,
  postMail,
  promotedMessage,
  rawMail,
} from '../support/data/mail.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

let smtp: TestSmtp;
let workspace: Workspace;
let channel: Json;
beforeAll(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, smtp.port);
});
afterAll(() => smtp.close());

/** Two conversations, of which a third mail, not there yet, would show that they are one. */
async function apart() {
  const [first, middle, last] = [newMessageId(), newMessageId(), newMessageId()];
  const [from, date] = [
    `${unique('grace')}@navy.example`,
    (day: number) => `0${day} Jan 2026 12:00:00 +0000`,
  ];
  const older = await ok(postMail(channel, rawMail({ from, id: first, date: date(1) })));
  const younger = await ok(postMail(channel, rawMail({ from, id: last, date: date(3), inReplyTo: middle })));
  expect(younger.conversation_id).not.toBe(older.conversation_id);
  const arrive = (): Promise<Json> =>
    ok(postMail(channel, rawMail({ from, id: middle, date: date(2), inReplyTo: first })));
  return { older, younger, arrive };
}

const saved = { body_html: '<p>Yes, we do.</p>' };
const idsOf = (messages: Json[]): string[] => messages.map(({ message_id }) => message_id);

describe('two conversations that a late mail shows to be one', () => {
  it('are the one that was opened first, with all messages', async () => {
    const { older, younger, arrive } = await apart();
    const middle = await arrive();
    expect(middle.conversation_id).toBe(older.conversation_id);
    const messages = await messagesOf(workspace, older);
    expect(idsOf(messages)).toEqual(idsOf([younger, middle, older]));
    expect(new Set(messages.map(({ conversation_id }) => conversation_id)).size).toBe(1);
    expect(await ok(workspace.api.get(`conversations/${older.conversation_id}`))).toMatchObject({
      start_at: '2026-01-01T12:00:00.000000Z',
      last_activity_at: '2026-01-03T12:00:00.000000Z',
      is_read: false,
    });
  });

  it('leave a hint to the one that stays at the other', async () => {
    const { older, younger, arrive } = await apart();
    await arrive();
    const gone = `conversations/${younger.conversation_id}`;
    const { base } = workspace.api;
    const answers = [
      await workspace.api.get(gone),
      await workspace.api.get(`${gone}/messages`),
      await workspace.api.get(`${gone}/messages/${younger.message_id}`),
      await workspace.api.get(`${gone}/response-drafts`),
      await workspace.api.patch(gone, { is_read: true }),
      await workspace.api.post(`${gone}/response-drafts`, saved),
    ];
    for (const answer of answers) {
      expectProblem(answer, 404, 'conversation_not_found');
      expect(answer.body.hint).toEqual({
        method: 'GET',
        route: `${base}/conversations/${older.conversation_id}`,
      });
    }
  });

  it('take what is recorded for the other into the one that stays', async () => {
    const { older, younger, arrive } = await apart();
    await arrive();
    const message = await ok(
      workspace.api.post('messages', {
        modality: 'call',
        message_direction: 'sent',
        content: '',
        conversation_id: younger.conversation_id,
      }),
    );
    expect(message.conversation_id).toBe(older.conversation_id);
  });

  it('are one for the sales of either', async () => {
    const { older, younger, arrive } = await apart();
    const [{ status_id }] = (await ok(workspace.api.get('sale-statuses'))).data;
    const { contact_id } = await ok(workspace.api.get(`conversations/${older.conversation_id}`));
    const open = (...messages: Json[]): Promise<Json> =>
      ok(
        workspace.api.post('sales', {
          status_id,
          associated_contacts: [{ contact_id }],
          conversation_ids: messages.map(({ conversation_id }) => conversation_id),
        }),
      );
    const sales = [await open(younger), await open(younger, older)];
    await arrive();
    for (const sale of sales) {
      const followed = await ok(workspace.api.get(`sales/${sale.sale_id}`));
      expect(followed.associated_conversation_ids).toEqual([older.conversation_id]);
      expect(followed.last_activity_at > sale.last_activity_at).toBe(true);
    }
  });

  it('are one for sales that name the other, before, after or while they are merged', async () => {
    const [{ status_id }] = (await ok(workspace.api.get('sale-statuses'))).data;
    for (let round = 0; round < 10; round++) {
      const { older, younger, arrive } = await apart();
      const { contact_id } = await ok(workspace.api.get(`conversations/${older.conversation_id}`));
      const naming = (...ids: Json[]) =>
        ok(
          workspace.api.post('sales', {
            status_id,
            associated_contacts: [{ contact_id }],
            conversation_ids: ids.map(({ conversation_id }) => conversation_id),
          }),
        );
      const [, ...raced] = await Promise.all([arrive(), naming(younger), naming(younger, older)]);
      const late = await naming(younger, older);
      expect(late.associated_conversation_ids).toEqual([older.conversation_id]);
      for (const { sale_id } of [...raced, late]) {
        const sale = await ok(workspace.api.get(`sales/${sale_id}`));
        expect(sale.associated_conversation_ids).toEqual([older.conversation_id]);
        const conversation_ids = [younger.conversation_id];
        expect(
          (await ok(workspace.api.patch(`sales/${sale_id}`, { conversation_ids })))
            .associated_conversation_ids,
        ).toEqual([older.conversation_id]);
      }
    }
  });

  it('are the one that has a pending reply', async () => {
    const { older, younger, arrive } = await apart();
    const draft = await ok(workspace.api.post(draftsOf(younger), saved));
    expect((await arrive()).conversation_id).toBe(younger.conversation_id);
    expect(await messagesOf(workspace, younger)).toHaveLength(3);
    expectProblem(
      await workspace.api.get(`conversations/${older.conversation_id}`),
      404,
      'conversation_not_found',
    );
    expect((await workspace.api.post(`${draftsOf(draft)}/${draft.response_id}/send`)).status).toBe(200);
    expect((await promotedMessage(workspace, draft)).conversation_id).toBe(younger.conversation_id);
  });

  it('stay two while both have a pending reply, until the next mail of the thread', async () => {
    const { older, younger, arrive } = await apart();
    const drafts = [
      await ok(workspace.api.post(draftsOf(older), saved)),
      await ok(workspace.api.post(draftsOf(younger), saved)),
    ];
    const middle = await arrive();
    for (const draft of drafts)
      expect((await workspace.api.get(`${draftsOf(draft)}/${draft.response_id}`)).status).toBe(200);
    await workspace.api.delete(`${draftsOf(younger)}/${drafts[1].response_id}`);
    const references = [older, middle, younger].map((one) => one.email_metadata.email_message_id).join(' ');
    const next = await ok(postMail(channel, rawMail({ references })));
    expect(next.conversation_id).toBe(older.conversation_id);
    expect(await messagesOf(workspace, older)).toHaveLength(4);
  });

  it('are one when a reply is leaving from one of them', async () => {
    const { younger, arrive } = await apart();
    let arrived: Promise<Json> | undefined;
    smtp.respond.data = () => {
      arrived ??= arrive();
      return { acceptAfter: 300 };
    };
    const draft = await ok(workspace.api.post(draftsOf(younger), autosend()));
    const message = await promotedMessage(workspace, draft);
    smtp.respond = {};
    expect((await arrived!).conversation_id).toBe(message.conversation_id);
    expect(await messagesOf(workspace, message)).toHaveLength(4);
  });

  it('lead from a reply that was sent in one of them to its message in the other', async () => {
    const { older, younger, arrive } = await apart();
    const draft = await ok(workspace.api.post(draftsOf(younger), autosend()));
    const message = await promotedMessage(workspace, draft);
    await arrive();
    const answer = await workspace.api.get(`${draftsOf(older)}/${draft.response_id}`);
    expectProblem(answer, 404, 'draft_promoted');
    expect(await ok(workspace.api.get(answer.body.hint.route))).toEqual({
      ...message,
      conversation_id: older.conversation_id,
    });
  });

  it('lead from a reply that is asked for as a first message to where it went', async () => {
    const { younger, arrive } = await apart();
    const draft = await ok(workspace.api.post(draftsOf(younger), autosend()));
    await promotedMessage(workspace, draft);
    await arrive();
    const answer = await workspace.api.get(`message-drafts/${draft.response_id}`);
    expectProblem(answer, 404, 'wrong_draft_kind');
    expectProblem(await workspace.api.get(answer.body.hint.route), 404, 'draft_promoted');
  });

  it('are audited as the delete of the one and the update of the other', async () => {
    const { older, younger, arrive } = await apart();
    await arrive();
    const actions = async ({ conversation_id }: Json) =>
      (await auditOf(workspace, conversation_id)).map(({ action_type }) => action_type);
    expect(await actions(younger)).toEqual(['insert', 'delete']);
    expect(await actions(older)).toEqual(['insert', 'update']);
  });

  it('are told of in the event feed, with what the one that stays takes over', async () => {
    const { older, younger, arrive } = await apart();
    const triage = { folder: 'Escalated', agent_id: workspace.agentId, is_read: true };
    await ok(workspace.api.patch(`conversations/${younger.conversation_id}`, triage));
    await arrive();
    const stays = await ok(workspace.api.get(`conversations/${older.conversation_id}`));
    expect(stays).toMatchObject({ folder: 'Escalated', agent_id: workspace.agentId });
    const types = 'ConversationMerged,ConversationTakenIn';
    let told: Json[] = [];
    await until(async () => {
      const { data } = await ok(workspace.api.get('events', { types, limit: 200 }));
      const ids = [older, younger].map(({ conversation_id }) => conversation_id);
      told = data.filter(({ stream }: Json) => ids.includes(stream.id));
      return told.length > 0;
    });
    expect(told.map(({ type, stream, data }: Json) => [type, stream.id, data]).sort()).toEqual([
      ['ConversationMerged', younger.conversation_id, { into_conversation_id: older.conversation_id }],
      [
        'ConversationTakenIn',
        older.conversation_id,
        { conversation_id: younger.conversation_id, ...triage, is_read: expect.any(Boolean) },
      ],
    ]);
  });

  it('stay two when each begins with a mail that answers none', async () => {
    const ids = [newMessageId(), newMessageId()];
    const begun = [
      await ok(postMail(channel, rawMail({ id: ids[0] }))),
      await ok(postMail(channel, rawMail({ id: ids[1] }))),
    ];
    const both = await ok(postMail(channel, rawMail({ inReplyTo: ids[1], references: ids.join(' ') })));
    expect(both.conversation_id).toBe(begun[1].conversation_id);
    expect(await messagesOf(workspace, begun[0])).toHaveLength(1);
  });
});
