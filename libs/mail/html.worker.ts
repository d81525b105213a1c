import { parentPort } from 'node:worker_threads';
import { safeHtml, safeMailHtml } from './safe-html.js';

/** HTML to clean, of a mail that was exchanged or of one that is written here. */
export interface HtmlToClean {
  html: string;
  isExchanged: boolean;
}

parentPort!.on('message', ({ html, isExchanged }: HtmlToClean) =>
  parentPort!.postMessage(isExchanged ? safeMailHtml(html) : safeHtml(html)),
);
