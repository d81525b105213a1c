import { type CallBody, WITHHELD } from './inbound.dto.js';
import { inbound, NAMELESS_PERSON, unknownParty } from './inbound-message.js';
import type { MessageToRecord } from '../recording/message-to-record.js';

/** The message that a call becomes. Its contact is the caller or, for an outbound call, the person called. */
export function messageOfCall(call: CallBody): MessageToRecord {
  const number = call.direction === 'inbound' ? call.from : call.to;
  return inbound({
    party: WITHHELD.test(number)
      ? unknownParty('Unknown caller')
      : { name: '', email: '', phone_number: number },
    modality: 'call',
    message_direction: call.direction === 'inbound' ? 'received' : 'sent',
    agent_id: call.agent_id ?? null,
    from: { ...NAMELESS_PERSON, phone_number: told(call.from) },
    to: told(call.to) === null ? [] : [{ ...NAMELESS_PERSON, phone_number: call.to }],
    content: '',
    call_transcript: call.transcript ?? null,
    call_metadata: {
      duration: call.duration ?? null,
      ...(call.recording_url && { recording_url: call.recording_url }),
    },
    sent_at: call.started_at,
    external_id: `call:${call.call_id}`,
  });
}

const told = (number: string): string | null => (WITHHELD.test(number) ? null : number);
