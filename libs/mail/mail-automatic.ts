import type { HeaderLine } from './mail-tree.js';

/** Headers by which programs say that nobody wrote a mail, whatever their value but no or false. */
const TELLING = new Set(
  (
    'x-autoreply x-autorespond x-autoresponder x-auto-reply x-autoreply-from x-mail-autoreply ' +
    'x-fc-machinegenerated'
  ).split(' '),
);

/** Headers that say so by these values. */
const TELLING_BY_VALUE = new Map([
  // RFC 3834, section 5.
  ['auto-submitted', /^(?!no(?:$|[\s;]))/i],
  ['precedence', /^auto[-_ ]?reply/i],
  ['x-precedence', /^auto[-_ ]?reply/i],
  ['delivered-to', /^<?auto-?responder>?$/i],
  ['x-post-messageclass', /auto-?responder/i],
]);

const DENIAL = /^(?:no|false)$/i;

/**
 * Whether a program answered (RFC 3834, and the headers from before it). These are no signs of that: Precedence bulk and
 * list, which mailing lists use; X-Auto-Response-Suppress, which Exchange adds to mails by people; an empty Return-Path,
 * which forwarding leaves.
 */
export const isAutoReply = (lines: HeaderLine[]): boolean =>
  lines.some(({ key, line }) => {
    const value = valueIn(line);
    return TELLING.has(key) ? !DENIAL.test(value) : (TELLING_BY_VALUE.get(key)?.test(value) ?? false);
  });

/** The value without comments. */
const valueIn = (line: string): string =>
  line
    .slice(line.indexOf(':') + 1)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
