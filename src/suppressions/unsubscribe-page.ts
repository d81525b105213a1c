/** A plain page that runs nothing and is kept nowhere. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
};

interface Texts {
  title: string;
  /** Before and after the address. */
  says: [string, string];
  button: string | null;
}

export const ASKING: Texts = {
  title: 'Unsubscribe',
  says: ['Stop messages to', '?'],
  button: 'Unsubscribe',
};

export const DONE: Texts = {
  title: 'You are unsubscribed',
  says: ['No more messages will be sent to', '. Your own questions are still answered.'],
  button: null,
};

export const page = ({ title, says: [before, after], button }: Texts, email: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><h1>${title}</h1><p>${before} ${escaped(email)}${after}</p>${
    button === null ? '' : `<form method="post"><button>${button}</button></form>`
  }</html>
`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
