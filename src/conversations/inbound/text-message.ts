import { LONG, isPhoneNumber } from '#http/input/fields.js';
import { invalid } from '#http/problems/problem.js';
import { inbound, NAMELESS_PERSON, unknownParty } from './inbound-message.js';
import { cut, storable } from '#kernel/text.js';
import type { MessageToRecord } from '../recording/message-to-record.js';

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

/** The words by which Twilio takes a number off, alone in a text, in any case. */
const STOP = /^\s*(?:stop|stopall|stop all|unsubscribe|cancel|end|quit|optout|revoke)\s*$/i;

/** Whether a text asks for no more texts: Twilio says so, or its words do. */
export const asksToStop = (parameters: ReadonlyMap<string, string>): boolean =>
  parameters.get('OptOutType') === 'STOP' || STOP.test(parameters.get('Body') ?? '');

/** The words by which Twilio puts it on again. */
const START = /^\s*(?:start|unstop|yes)\s*$/i;

/** Whether a text asks for texts again. */
export const asksToStart = (parameters: ReadonlyMap<string, string>): boolean =>
  parameters.get('OptOutType') === 'START' || START.test(parameters.get('Body') ?? '');

/** The `external_id` of a text that was sent, by its id at Twilio. */
export const sentTextId = (sid: string): string => `text:${sid}`;

/** The message that a text becomes (Twilio's "incoming message" request). Throws 400 without a sender or an id. */
export function messageOfText(parameters: ReadonlyMap<string, string>): MessageToRecord {
  const sid = parameters.get('MessageSid') ?? parameters.get('SmsMessageSid') ?? parameters.get('SmsSid');
  const from = storable(parameters.get('From') ?? '').trim();
  const missing = [
    ...(sid ? [] : [{ field: 'MessageSid', detail: 'must be given' }]),
    ...(from === '' ? [{ field: 'From', detail: 'must be given' }] : []),
  ];
  if (missing.length > 0) throw invalid(missing);
  return inbound({
    ...senderOf(from, parameters),
    ...addressesOf(from, parameters),
    modality: 'text',
    content: cut(
      storable([parameters.get('Body') ?? '', ...media(parameters)].filter(Boolean).join('\n')),
      LONG,
    ),
    external_id: `text:${storable(sid!)}`,
  });
}

/** The addresses of a text as its provider names them, such as `whatsapp:+15550100`. */
function addressesOf(
  from: string,
  parameters: ReadonlyMap<string, string>,
): Pick<MessageToRecord, 'from' | 'to'> {
  const name = cut(storable(parameters.get('ProfileName') ?? ''), 1_000) || null;
  const to = cut(storable(parameters.get('To') ?? '').trim(), LONGEST_ADDRESS);
  return {
    from: { name, email: null, phone_number: cut(from, LONGEST_ADDRESS) },
    to: to === '' ? [] : [{ ...NAMELESS_PERSON, phone_number: to }],
  };
}

/** Longer than any address that a text comes from. */
const LONGEST_ADDRESS = 200;

/**
 * Who sent a text: a number, also one of WhatsApp (`whatsapp:+1…`), or else a name, a page's visitor (`messenger:…`) or a
 * short code. A reply goes to the address as it stands.
 */
function senderOf(
  from: string,
  parameters: ReadonlyMap<string, string>,
): Pick<MessageToRecord, 'party' | 'text_addresses'> {
  const name = cut(storable(parameters.get('ProfileName') ?? ''), 1_000);
  const to = cut(storable(parameters.get('To') ?? '').trim(), LONGEST_ADDRESS);
  const text_sender = cut(from, LONGEST_ADDRESS);
  const text_addresses = { from: text_sender, to };
  const [, service, rest] = /^([a-z]+):(.*)$/i.exec(from) ?? [];
  const isCallable = service === undefined || service.toLowerCase() === 'whatsapp' || rest!.startsWith('+');
  const number = (rest ?? from).trim();
  if (isCallable && isPhoneNumber(number)) {
    return { party: { name, email: '', phone_number: number }, text_addresses };
  }
  return { party: { ...unknownParty(name || text_sender), text_sender }, text_addresses };
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
