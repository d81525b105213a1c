import type { ExpectedVersion } from '#kernel/context.js';

/** The strong entity tag of a record at a version of its stream (RFC 9110, 8.8.3), such as `"3"`. */
export const etagOf = (version: number): string => `"${version}"`;

const TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * The versions that an `If-Match` admits (RFC 9110, 13.1.1): `any` for `*`, else those of its strong tags. A weak tag never
 * matches, and neither does text that is no tag.
 */
export function readIfMatch(header: string): ExpectedVersion {
  if (header.trim() === '*') return 'any';
  return readTags(header)
    .map((tag) => (tag && !tag.weak ? versionOf(tag.text) : null))
    .filter((one) => one !== null);
}

/** Whether an `If-None-Match` names this tag, so that nothing need be sent (RFC 9110, 13.1.2). Weak tags count. */
export function namesTag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  return readTags(header).some((tag) => tag !== null && `"${tag.text}"` === etag);
}

/** The tags in a list; null for an item that is no tag. Empty items do not count (RFC 9110, 5.6.1.2). */
function readTags(header: string): ({ weak: boolean; text: string } | null)[] {
  return splitTags(header)
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      const match = TAG.exec(item);
      return match && { weak: match[1] !== undefined, text: match[2]! };
    });
}

/** Splits at commas outside of quotes. */
const splitTags = (header: string): string[] => header.match(/(?:[^,"]|"[^"]*"?)+/g) ?? [];

const versionOf = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);
