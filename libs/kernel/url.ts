/** A URL, for paths to be put behind it. */
export const withoutTrailingSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, '');
