import { newId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import type { RecordTag } from '#kernel/tags.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import {
  type Conversation,
  conversation,
  type ConversationEvent,
  conversations,
  type RecordedMessage,
} from '../conversations/conversations.contract.js';
import { DAY, onWorkday } from './calendar.js';
import { type Ids, instantOf } from './ids.js';
import type { PlannedConversation, PlannedMessage } from './plan-conversations.js';

/** What goes with a conversation beside its plan. */
interface Surroundings {
  conversation_id: string;
  /** The agent of the contact's company. */
  company_agent_id: string;
  tags: RecordTag[];
  hasReply: boolean;
  today: Instant;
}

/** The append for a conversation as if it had been recorded message by message, and dealt with. */
export function conversationAppend(planned: PlannedConversation, ids: Ids, around: Surroundings): Append {
  const { conversation_id, company_agent_id, today } = around;
  const contact_id = ids.contacts[planned.contact]!;
  const messages = messagesOf(planned, ids.agents);
  let state: Conversation | null = null;
  const events: ConversationEvent[] = [];
  const happen = (command: Parameters<typeof conversation.decide>[1]) => {
    const happened = conversation.decide(state, command);
    state = happened.reduce(conversation.evolve, state);
    events.push(...happened);
  };
  for (const [nr, message] of messages.entries())
    happen({
      type: 'RecordMessage',
      opening: { conversation_id, contact_id, company_agent_id },
      message,
      folder: undefined,
      begins: nr === 0,
      contact_id,
      at: today,
    });
  happen({ type: 'UpdateConversation', changes: triageOf(planned, today), at: today });
  if (planned.comments.length > 0) happen({ type: 'CountComments', more: planned.comments.length });
  if (around.hasReply) happen({ type: 'NoteDraft', has_draft: true });
  const added = around.tags.filter(({ name }) => name === planned.tag);
  if (added.length > 0) events.push({ type: 'ConversationTagsChanged', data: { added, removed: [] } });
  return appendTo(conversations, conversation_id, NEW, events);
}

function triageOf({ status, is_read, messages }: PlannedConversation, today: Instant) {
  const isReceived = messages.at(-1)!.agent === null;
  const monday = onWorkday(Date.parse(today) + 3 * DAY, 0, 9) + DAY;
  return {
    ...(isReceived && { is_read }),
    ...(status !== 'open' && { status }),
    ...(status === 'snoozed' && { snoozed_until: instantOf(monday) }),
  };
}

/** A mail answers the one before it. */
function messagesOf(planned: PlannedConversation, agents: string[]): RecordedMessage[] {
  const mailIds: string[] = [];
  return planned.messages.map((given, nr) => {
    const references = [...mailIds];
    mailIds.push(`${newId('event')}@northwind.example`);
    return messageOf(planned, given, { isFirst: nr === 0, mailId: mailIds.at(-1)!, references, agents });
  });
}

function messageOf(
  { modality, is_form_request, subject }: PlannedConversation,
  { at, agent, content }: PlannedMessage,
  place: { isFirst: boolean; mailId: string; references: string[]; agents: string[] },
): RecordedMessage {
  const isForm = is_form_request && place.isFirst;
  const isMail = modality === 'email';
  return {
    message_id: newId('msg'),
    agent_id: agent === null ? null : place.agents[agent]!,
    modality,
    message_direction: agent === null ? 'received' : 'sent',
    is_form_request: isForm,
    subject: isMail ? (place.isFirst ? subject : `Re: ${subject}`) : null,
    content,
    body_html: null,
    call_transcript: modality === 'call' ? content : null,
    form_request_body: isForm
      ? { campaign: { utm_source: 'newsletter' }, fields: { message: content } }
      : null,
    sent_at: instantOf(at),
    drafted_at: null,
    email_metadata: {
      email_message_id: isMail ? place.mailId : null,
      in_reply_to: isMail ? place.references.slice(-1) : [],
      references: isMail ? place.references : [],
      cc_emails: [],
      bcc_emails: [],
    },
    call_metadata: { duration: modality === 'call' ? 60 + content.length : null },
    external_id: null,
    is_auto_reply: false,
  };
}
