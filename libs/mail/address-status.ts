import { saysAddressIsGone, speaksOfOther, speaksOfRate, withoutNames } from './address-words.js';

/** Mailbox or its domain is not there (RFC 3463 X.1.0 to X.1.4 and X.1.6; X.1.10 of RFC 7505). */
const GONE = /^5\.1\.(?:[0-46]|10)$/;
/** The mailbox is disabled, or gets too many mails just now, as the words beside it tell. */
const DISABLED = '5.2.1';
/** "Other undefined status": of a report that it says nothing. */
const UNDEFINED = '5.0.0';

/** Where RFC 2034 has it: behind the reply code. Some write `#5.1.0`. */
const LEADING = /^#?(?:\d{3}[ -])?["'#([<]{0,3}([245]\.\d{1,3}\.\d{1,3})(?!\d|\.\d)/;
/** Elsewhere, as qmail has it; not a part of an address of a host. */
const WITHIN = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\d|\.\d)/;

/** Whether a status code (RFC 3463) tells that the recipient's address takes no mail, now or later. */
const tellsGone = (status: string, words: string): boolean =>
  GONE.test(status) || (status === DISABLED && !speaksOfRate(words));

/**
 * Whether a server's reply to RCPT (RFC 5321) tells that the address takes no mail, now or later: by its status code if it
 * has one, else by its words. Everything else is about us, the mail, or this hour.
 */
export function refusesAddressForGood(code: number, reply: string): boolean {
  if (code < 500) return false;
  return statusTellsGone(reply) ?? saysAddressIsGone(reply);
}

/** What the status code in a reply tells; null without one. */
function statusTellsGone(reply: string): boolean | null {
  const [, leading] = LEADING.exec(reply) ?? [];
  if (leading) return tellsGone(leading, reply);
  const [within] = WITHIN.exec(withoutNames(reply)) ?? [];
  // It may be quoted from the reply to a server that asked whether the sender exists.
  return within ? tellsGone(within, reply) && !speaksOfOther(reply) : null;
}

/** The same of a reply to a mail that went to one recipient alone: its words may be about the mail, its code is not. */
export function refusesOnlyRecipientForGood(code: number, reply: string): boolean {
  return code >= 500 && statusTellsGone(reply) === true;
}

/** The same of what a report (RFC 3464) says of a recipient whom a mail did not reach. */
export function reportsAddressGone({ status, diagnostic }: Reported): boolean {
  const said = diagnostic ?? '';
  if (status !== null && status !== UNDEFINED) return tellsGone(status, said);
  const [, code = '500'] = /^\W*(\d{3})\b/.exec(said) ?? [];
  return refusesAddressForGood(Number(code), said);
}

interface Reported {
  status: string | null;
  diagnostic: string | null;
}
