/** Origins as browsers send them, separated by commas; undefined when one of them is something else. */
export function readOrigins(text: string): string[] | undefined {
  const origins = text.split(',').map((part) => originOf(part.trim()));
  return origins.includes(undefined) ? undefined : (origins as string[]);
}

/** In lower case and without the usual port, since that is how a browser writes it. */
function originOf(text: string): string | undefined {
  if (!/^https?:\/\/[^\s/?#@*\\]+$/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).origin;
}
