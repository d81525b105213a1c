import { newId } from '#kernel/id.js';
import type { AnyAggregate } from '#event-store/aggregate.js';
import { appendTo, NEW } from '#event-store/append.js';
import { BEGINNING, readFeed } from '#event-store/feed.js';
import { rowsProjection } from '#event-store/projection.js';
import {
  type Handlers,
  handlersOn,
  say,
  type Universe,
  universeOf,
} from '../../test/support/database/handlers.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { untilAllIsReadable } from '../../test/support/until.js';
import { conversation } from '../conversations/conversation.js';
import { conversations } from '../conversations/conversations.projection.js';
import { draft, type DraftEvent } from '../drafts/draft.js';
import { drafts } from '../drafts/drafts.projection.js';

let test: TestDatabase;
let handlers: Handlers;
let universe: Universe;

beforeEach(async () => {
  test = await testDatabase();
  handlers = handlersOn(test.database);
  universe = await universeOf(handlers);
});

afterEach(() => test.close());

const opened = (contact_id: string) => say(handlers, universe.context, { party: { contact_id } });

const replaceContact = (conversationId: string, from_contact_id: string, to_contact_id: string) =>
  handlers.store.change(universe.context, conversations, conversationId, ({ state }) =>
    conversation.decide(state, { type: 'ReplaceContact', from_contact_id, to_contact_id }),
  );

async function mergeConversation(into: string, from: string): Promise<void> {
  const { store } = handlers;
  const { context } = universe;
  const load = (id: string) => store.load(test.database, context.organizationId, conversations, id);
  const [one, other] = [await load(into), await load(from)];
  await store.append(context, [
    appendTo(
      conversations,
      into,
      one,
      conversation.decide(one.state, {
        type: 'TakeConversationIn',
        conversation: other.state!,
        by_hand: true,
      }),
    ),
    appendTo(
      conversations,
      from,
      other,
      conversation.decide(other.state, {
        type: 'MergeConversation',
        into_conversation_id: into,
        by_hand: true,
      }),
    ),
  ]);
}

const CONTENT = {
  subject: null,
  body_html: '<p>Yes</p>',
  cc_emails: [],
  bcc_emails: [],
  recipient_name: null,
  recipient_email: null,
  recipient_phone_number: null,
  agent_id: null,
  add_notification: false,
};

async function saved(conversation_id: string): Promise<string> {
  const draft_id = newId('response');
  const created_at = '2026-01-01T10:00:00.000000Z';
  const command = {
    type: 'DraftResponse',
    draft_id,
    conversation_id,
    created_at,
    ...CONTENT,
    queued: null,
  } as const;
  await handlers.store.append(universe.context, [
    appendTo(drafts, draft_id, NEW, draft.decide(null, command)),
  ]);
  return draft_id;
}

const told = (id: string, event: DraftEvent) =>
  handlers.store.change(universe.context, drafts, id, () => [event]);

/** Rows of the aggregate's tables. */
async function rowsOf({ row, alsoTables = [] }: AnyAggregate): Promise<object> {
  const tables = [row.table, ...alsoTables].map(async (table) => [
    table,
    await test.database.query({
      text: `SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`,
    }),
  ]);
  return Object.fromEntries(await Promise.all(tables)) as object;
}

/** Expects the rows that were written with the events again from those events, however these are cut into two batches. */
async function expectSameRows(aggregate: AnyAggregate): Promise<void> {
  const { database } = test;
  const written = await rowsOf(aggregate);
  await untilAllIsReadable(database);
  const events = await readFeed(database, BEGINNING, 1_000);
  const projection = rowsProjection(aggregate);
  for (let cut = 0; cut < events.length; cut++) {
    for (const table of projection.tables) await database.query({ text: `DELETE FROM ${table}` });
    for (const batch of [events.slice(0, cut), events.slice(cut)])
      await database.transaction((tx) => projection.apply(tx, batch));
    expect([cut, await rowsOf(aggregate)]).toEqual([cut, written]);
  }
}

describe('rows are those written with the events, however these are cut into batches', () => {
  it('where a contact was replaced, the conversation merged, and the new contact replaced, too', async () => {
    const [one, other, third] = universe.contacts as [string, string, string];
    const [into, from] = [await opened(third), await opened(one)];
    await replaceContact(from, one, other);
    await mergeConversation(into, from);
    await replaceContact(into, other, third);
    await expectSameRows(conversations);
  });

  it('where one merged conversation after the other went into the next', async () => {
    const ids = [];
    for (const contactId of universe.contacts) ids.push(await opened(contactId));
    const [last, middle, first] = ids as [string, string, string];
    await mergeConversation(middle, first);
    await say(handlers, universe.context, { conversation_id: middle });
    await mergeConversation(last, middle);
    await say(handlers, universe.context, { conversation_id: last });
    await expectSameRows(conversations);
  });

  it('where a reply was sent and another one moved to its conversation', async () => {
    const [one, other] = universe.conversations as [string, string];
    const [moved, sent] = [await saved(one), await saved(other)];
    await told(moved, { type: 'DraftOverwritten', data: { ...CONTENT, queued: null } });
    await told(sent, {
      type: 'DraftSent',
      data: {
        message_id: newId('msg'),
        conversation_id: other,
        sent_at: '2026-01-01T11:00:00.000000Z',
        response: '250',
        rejected: [],
      },
    });
    await told(moved, { type: 'DraftMoved', data: { conversation_id: other } });
    await expectSameRows(drafts);
  });
});
