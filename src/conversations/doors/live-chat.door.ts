import type { LiveChatBody } from './doors.dto.js';
import { inbound } from './inbound.js';
import type { MessageToRecord } from '../message-to-record.js';

/** A message by a live-chat visitor. Message ids may start anew for each visitor. */
export const messageOfChat = ({ visitor_id, text, message_id, ...told }: LiveChatBody): MessageToRecord =>
  inbound({
    party: {
      visitor_id,
      name: told.name ?? '',
      email: told.email ?? '',
      phone_number: told.phone_number ?? '',
    },
    modality: 'live_chat',
    content: text,
    visitor_id,
    sent_at: told.sent_at ?? null,
    external_id: message_id === undefined ? null : `live_chat:${JSON.stringify([visitor_id, message_id])}`,
  });
