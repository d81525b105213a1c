import { LONG, isPhoneNumber } from '#http/fields.js';
import { invalid } from '#http/problem.js';
import { inbound, unknownParty } from './inbound.js';
import { cut, storable } from '../mail/mail.js';
import type { MessageToRecord } from '../message-to-record.js';

/** Whether this is Twilio's report on the delivery of a text we sent. It comes to the same kind of URL as texts. */
export const isDeliveryReport = (parameters: ReadonlyMap<string, string>): boolean =>
  parameters.has('MessageStatus') && !parameters.has('Body');

/** Why a text that Twilio had taken did not arrive, and the text's `external_id`; null for a report of anything else. */
export function failureOf(
  parameters: ReadonlyMap<string, string>,
): { externalId: string; error: string } | null {
  const status = parameters.get('MessageStatus');
  const sid = parameters.get('MessageSid');
  if (!sid || (status !== 'failed' && status !== 'undelivered')) return null;
  const code = parameters.get('ErrorCode');
  return {
    externalId: sentTextId(storable(sid)),
    error: storable(`${status} by the carrier${code ? `, error ${code}` : ''}`),
  };
}

/** The `external_id` of a text that was sent, by its id at Twilio. */
export const sentTextId = (sid: string): string => `text:${sid}`;

/** The message that a text becomes (Twilio's "incoming message" request). Throws 400 without a sender or an id. */
export function messageOfText(parameters: ReadonlyMap<string, string>): MessageToRecord {
  const sid = parameters.get('MessageSid') ?? parameters.get('SmsMessageSid') ?? parameters.get('SmsSid');
  // WhatsApp and Messenger come the same way, with their name before the number.
  const from = storable(parameters.get('From') ?? '')
    .replace(/^[a-z]+:/i, '')
    .trim();
  const missing = [
    ...(sid ? [] : [{ field: 'MessageSid', detail: 'must be given' }]),
    ...(from === '' ? [{ field: 'From', detail: 'must be given' }] : []),
  ];
  if (missing.length > 0) throw invalid(missing);
  return inbound({
    party: isPhoneNumber(from)
      ? { name: cut(storable(parameters.get('ProfileName') ?? ''), 1_000), email: '', phone_number: from }
      : unknownParty(cut(from, 1_000)),
    modality: 'text',
    content: cut(
      storable([parameters.get('Body') ?? '', ...media(parameters)].filter(Boolean).join('\n')),
      LONG,
    ),
    external_id: `text:${storable(sid!)}`,
  });
}

/** A line for each medium: its URL and type. */
function media(parameters: ReadonlyMap<string, string>): string[] {
  const lines: string[] = [];
  for (let nr = 0; parameters.has(`MediaUrl${nr}`); nr++) {
    const type = parameters.get(`MediaContentType${nr}`);
    lines.push(parameters.get(`MediaUrl${nr}`)! + (type ? ` (${type})` : ''));
  }
  return lines;
}
