import { newId } from '#kernel/id.js';
import { type Instant, plusSeconds } from '#kernel/instant.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import {
  type Conversation,
  conversation,
  conversations,
  type RecordedMessage,
} from '../conversations/conversations.contract.js';
import type { PlannedConversation, PlannedMessage } from './plan-conversations.js';

/** The append for a conversation as if it had been recorded message by message. */
export function conversationAppend(
  planned: PlannedConversation,
  ids: Record<'agents' | 'contacts', string[]>,
  today: Instant,
): Append {
  const conversation_id = newId('conv');
  const opening = { conversation_id, contact_id: ids.contacts[planned.contact]!, company_agent_id: null };
  let state: Conversation | null = null;
  const events = planned.messages.flatMap((given, nr) => {
    const message = messageOf(planned, given, nr === 0, ids.agents, today);
    const happened = conversation.decide(state, {
      type: 'RecordMessage',
      opening,
      message,
      folder: undefined,
      begins: nr === 0,
      contact_id: opening.contact_id,
      at: today,
    });
    state = happened.reduce(conversation.evolve, state);
    return happened;
  });
  return appendTo(conversations, conversation_id, NEW, events);
}

function messageOf(
  { modality, is_form_request, subject }: PlannedConversation,
  { ago, agent, content }: PlannedMessage,
  isFirst: boolean,
  agents: string[],
  today: Instant,
): RecordedMessage {
  const isForm = is_form_request && isFirst;
  return {
    message_id: newId('msg'),
    agent_id: agent === null ? null : agents[agent]!,
    modality,
    message_direction: agent === null ? 'received' : 'sent',
    is_form_request: isForm,
    subject: modality === 'email' ? (isFirst ? subject : `Re: ${subject}`) : null,
    content,
    body_html: null,
    call_transcript: modality === 'call' ? content : null,
    form_request_body: isForm
      ? { campaign: { utm_source: 'newsletter' }, fields: { message: content } }
      : null,
    sent_at: plusSeconds(today, -ago),
    drafted_at: null,
    email_metadata: {
      email_message_id: modality === 'email' ? `${newId('event')}@northwind.example` : null,
      in_reply_to: [],
      references: [],
      cc_emails: [],
      bcc_emails: [],
    },
    call_metadata: { duration: modality === 'call' ? 60 + content.length : null },
    external_id: null,
    is_auto_reply: false,
  };
}
