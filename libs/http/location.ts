/** A URL for a header, which holds ASCII: line breaks go, which browsers ignore, and what else is beyond is percent-encoded. Both lead to the same place. */
export const asLocation = (url: string): string =>
  url.replace(/[\t\r\n]/g, '').replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
