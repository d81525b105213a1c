import type { StructuredHeader } from 'mailparser';
import type { Part } from './mail-tree.js';
import { withoutLastDot } from '#kernel/address.js';
import { type BouncedRecipient, messageIds } from './mail.js';

/**
 * The report type of a mail (RFC 6522), '' when a report does not say; null for a mail that is no report. A gateway may wrap a
 * report and put its own text below; a person who forwards one writes above it. So only first parts are looked at.
 */
export function reportType({ headers, children }: Part): string | null {
  const type = headers.get('content-type') as StructuredHeader | undefined;
  if (type?.value?.toLowerCase() === 'multipart/report')
    return (type.params['report-type'] ?? '').toLowerCase();
  return children[0] ? reportType(children[0]) : null;
}

/**
 * A message/delivery-status part (RFC 3464 section 2), which some mailers fill with prose instead of fields.
 */
interface DeliveryReport {
  recipients: BouncedRecipient[];
  text: string;
}

export function deliveryReport(part: string): DeliveryReport {
  const text = part.replace(/\r\n?/g, '\n').trim();
  const unfolded = text.replace(/\n[ \t]+(?=\S)/g, ' ');
  return { recipients: unfolded.split(/\n\s*\n/).flatMap(recipientIn), text };
}

/** The mail that a receipt (RFC 8098) is about. */
export function receiptFor(part: string): string | null {
  const [, ids = ''] = /^Original-Message-ID[ \t]*:(.*(?:\r?\n[ \t].*)*)/im.exec(part) ?? [];
  return messageIds(ids)[0] ?? null;
}

function recipientIn(group: string): BouncedRecipient[] {
  const fields = new Map<string, string>();
  for (const [, name, value] of group.matchAll(/^([\w-]+)[ \t]*:(.*)$/gm))
    fields.set(name!.toLowerCase(), value!.trim());
  const final = addressIn(fields.get('final-recipient'));
  const address = addressIn(fields.get('original-recipient')) ?? final;
  if (address === null) return [];
  return [
    {
      address,
      ...(final !== null && final !== address && { final_address: final }),
      action: /^[a-z]*/.exec((fields.get('action') ?? '').toLowerCase())![0],
      status: /\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? null,
      diagnostic: withoutType(fields.get('diagnostic-code')) || null,
    },
  ];
}

function addressIn(field: string | undefined): string | null {
  const value = withoutType(field);
  const [, address = value.replace(/^<|>$|\([^()]*\)$/g, '')] = /<([^<>]*)>/.exec(value) ?? [];
  return address.includes('@') ? withoutLastDot(fromXtext(address).trim().toLowerCase()) : null;
}

/** Reports that must be ASCII write other characters of an address as `\x{F6}` (RFC 6533, section 3). */
function fromXtext(address: string): string {
  return address.replace(/\\x\{([0-9a-f]{1,6})\}/gi, (written, hex: string) => {
    const code = parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : written;
  });
}

/** `rfc822; someone@example.org` → `someone@example.org` */
function withoutType(field = ''): string {
  return field
    .slice(field.indexOf(';') + 1)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Feedback types (RFC 5965, 7.3, and its registry) by which a recipient wants no more such mail. */
const UNWANTED = /^(?:abuse|fraud|other|opt-out|opt-out-list|complaint)$/;

/** A message/feedback-report part (RFC 5965, section 3): who complains, as far as it says; null when nobody does. */
export function complainants(part: string): string[] | null {
  const unfolded = part.replace(/\r\n?/g, '\n').replace(/\n[ \t]+(?=\S)/g, ' ');
  const fields = [...unfolded.matchAll(/^([\w-]+)[ \t]*:(.*)$/gm)].map(
    ([, name, value]) => [name!.toLowerCase(), value!.trim()] as const,
  );
  const type = fields.find(([name]) => name === 'feedback-type')?.[1].toLowerCase() ?? '';
  if (!UNWANTED.test(type)) return null;
  const recipients = fields.filter(([name]) => name === 'original-rcpt-to' || name === 'removal-recipient');
  return [...new Set(recipients.flatMap(([, value]) => addressIn(value) ?? []))];
}
