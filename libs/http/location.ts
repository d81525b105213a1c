/**
 * A URL for a header, which must be ASCII: drops line breaks, which browsers ignore, and percent-encodes other characters.
 * The URL leads to the same place.
 */
export const asLocation = (url: string): string =>
  url.replace(/[\t\r\n]/g, '').replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
