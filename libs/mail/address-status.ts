/** Mailbox or its server is not there (RFC 3463 X.1.0 to X.1.6; X.1.10 of RFC 7505), or is no longer (X.2.0, X.2.1). */
const GONE = /^5\.(?:1\.(?:[0-6]|10)|2\.[01])$/;

/**
 * Whether a status code (RFC 3463) tells that the recipient's address takes no mail, now or later. A full mailbox, the
 * sender's address, the content and a policy say nothing of that.
 */
export const saysAddressIsGone = (status: string): boolean => GONE.test(status);

/**
 * Whether a server's reply to RCPT (RFC 5321) tells it: by its status code (RFC 2034) if it has one, else by being final. 552
 * is a mailbox without room.
 */
export function refusesAddressForGood(code: number, reply: string): boolean {
  if (code < 550 || code === 552) return false;
  const [, status] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(reply) ?? [];
  return status === undefined || saysAddressIsGone(status);
}
