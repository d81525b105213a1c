/** Nothing inline, nothing from elsewhere, and no way for a text to become script or markup. */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/**
 * A mail is shown in a frame within a frame. A frame without an address takes its policy from the document that made it, and the
 * console's would take a mail its styles: so this empty document, which runs no script, stands between the two.
 */
export const mailFrame = `<!doctype html>
<html lang="en">
<title>Mail</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; color-scheme: light }</style>
</html>
`;

/** Images come from elsewhere only when the reader has asked for them: they tell the sender that the mail is being read. */
export const mailPolicy = (withImages: boolean): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${withImages ? ' https: http:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
