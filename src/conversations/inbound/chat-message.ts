import type { LiveChatBody } from './inbound.dto.js';
import { inbound, publicId } from './inbound-message.js';
import type { MessageToRecord } from '../recording/message-to-record.js';

/** A message by a live-chat visitor. Message ids may start anew for each visitor. */
export function messageOfChat({ visitor_id, text, message_id, ...told }: LiveChatBody): MessageToRecord {
  const { name, email, phone_number, sent_at } = told;
  const person = { name: name ?? '', email: email ?? '', phone_number: phone_number ?? '' };
  const posted = { text, ...person, sent_at: sent_at ?? null };
  return inbound({
    party: { visitor_id, ...person },
    modality: 'live_chat',
    content: text,
    visitor_id,
    sent_at: posted.sent_at,
    external_id:
      message_id === undefined
        ? null
        : publicId('live_chat', JSON.stringify([visitor_id, message_id]), posted),
  });
}
