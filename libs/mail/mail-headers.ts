import type { AddressObject, EmailAddress, Headers } from 'mailparser';
import addressparser from 'nodemailer/lib/addressparser/index.js';
import { withoutLastDot } from '#kernel/address.js';
import { isAddress, messageIds, type Mailbox } from './mail.js';
import type { HeaderLine } from './mail-tree.js';

/** The sender a reply should reach: From, or the first header after it that holds an address. */
export function senderOf(headers: Headers): Mailbox | null {
  for (const name of ['from', 'sender', 'reply-to', 'return-path'])
    for (const mailbox of mailboxes(headers, name)) return mailbox;
  return null;
}

/** Who wrote a mail that a list sends in its own name, because the writer's domain (DMARC) does not let it keep From. */
export function originalSenderOf(headers: Headers): Mailbox | null {
  for (const name of ['x-original-from', 'x-original-sender'])
    for (const value of values(headers, name))
      for (const { name, address } of told(addressparser(value, { flatten: true })))
        // Nobody has decoded such a name; From has it, too, as in: Ann via List.
        return { name: name?.includes('=?') ? null : name, address };
  return null;
}

/** The mailboxes in a header, each address as it stands there first, groups flattened. */
export function mailboxesIn(headers: Headers, name: 'from' | 'to' | 'cc' | 'bcc' | 'reply-to'): Mailbox[] {
  const found = new Map<string, Mailbox>();
  for (const mailbox of mailboxes(headers, name)) {
    const key = mailbox.address.toLowerCase();
    if (!found.has(key)) found.set(key, mailbox);
  }
  return [...found.values()];
}

/** The addresses in the headers by which servers on the way say whom a mail is for. */
export const deliveredTo = (headers: Headers): string[] =>
  [
    ...mailboxes(headers, 'delivered-to').map(({ address }) => address),
    ...values(headers, 'x-original-to')
      .map((value) => withoutLastDot(value.replace(/[<>]/g, '').trim()))
      .filter(isAddress),
  ].map((address) => address.toLowerCase());

export function idsIn(headers: Headers, name: 'message-id' | 'in-reply-to' | 'references'): string[] {
  const written = values(headers, name).join(' ');
  const value = name === 'message-id' ? written : unescaped(written);
  return messageIds(/<[^<>]*>/.test(value) ? value : idsAtTheStart(value));
}

/** Web mailers escape the id of the mail they answer as in a link or in HTML. */
function unescaped(value: string): string {
  const text = value.replace(/&lt;/gi, '<').replace(/&gt;/gi, '>');
  return text.includes('@')
    ? text
    : text.replace(/%(?:3c|3e|40|2b|2e|24)/gi, (escape) => decodeURIComponent(escape));
}

/** RFC 822 allowed words beside the ids, and old programs wrote both without brackets: `1@example.org from Ann`. */
function idsAtTheStart(value: string): string {
  const words = value
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ?@ ?/g, '@')
    .split(/[ ,]+/)
    .filter((word) => word !== '');
  const end = words.length === 1 ? -1 : words.findIndex((word) => !word.includes('@'));
  return words.slice(0, end === -1 ? undefined : end).join(' ');
}

export function subjectOf(headers: Headers): string | null {
  return (
    values(headers, 'subject')
      .join(' ')
      .replace(/[\t\r\n]+/g, ' ')
      .trim() || null
  );
}

/** The Date header as written: for a date that it cannot read, mailparser would give the present time. */
export function dateOf(lines: HeaderLine[]): string {
  const date = lines.find(({ key }) => key === 'date')?.line ?? '';
  return date.slice(date.indexOf(':') + 1);
}

function values(headers: Headers, name: string): string[] {
  return [headers.get(name) ?? []].flat().filter((value) => typeof value === 'string');
}

function mailboxes(headers: Headers, name: string): Mailbox[] {
  const lists = [headers.get(name) ?? []].flat() as AddressObject[];
  return told(lists.flatMap(({ value }) => flattened(value)));
}

const told = (list: Pick<EmailAddress, 'name' | 'address'>[]): Mailbox[] =>
  list.flatMap(({ name, address: written = '' }) => {
    const address = withoutLastDot(written);
    return isAddress(address) ? { name: nameOf(name) || null, address } : [];
  });

/** A display name on one line, without marks left over beside it; '' when there is nothing to read in it. */
function nameOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.findLastIndex((word) => !/^[<>=/|,;:-]+$/.test(word));
  const line = words.slice(0, last + 1).join(' ');
  return /[\p{L}\p{N}\p{So}\p{Co}]/u.test(line) ? line : '';
}

function flattened(list: EmailAddress[]): EmailAddress[] {
  return list.flatMap((entry) => (entry.group ? flattened(entry.group) : entry));
}
