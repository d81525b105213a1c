import type { Message } from '../data/records.js';

/** What stands above a quotation, in the languages of most mail programs. */
const INTRODUCES = /^(On|Am|Le|El|Il) .{5,200}(wrote|schrieb|écrit|escribió|scritto).{0,80}:$/;

/** What the writer added: as the service found it, else all above the quotation that ends the text. */
export function newText({ new_content, content }: Pick<Message, 'new_content' | 'content'>): string {
  if (new_content !== null) return new_content;
  const lines = content.trimEnd().split('\n');
  let at = lines.length;
  while (at > 0 && (lines[at - 1]!.startsWith('>') || lines[at - 1]!.trim() === '')) at--;
  if (at === lines.length) return content;
  if (at > 0 && INTRODUCES.test(lines[at - 1]!.trim())) at--;
  const added = lines.slice(0, at).join('\n').trimEnd();
  return added === '' ? content : added;
}
