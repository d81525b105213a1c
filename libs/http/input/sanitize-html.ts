import { RuleViolation } from '#kernel/decider.js';
import { cleanHtml, HtmlTooHard } from '#mail/clean-html.js';
import { MOST_TAGS } from '#mail/safe-html.js';

/**
 * HTML of a body's field without what could run; a message that was exchanged keeps its style sheets. Throws `RuleViolation` for more
 * than 50,000 tags, or what begins like one, and for what takes too long to clean.
 */
export async function sanitizeHtml(
  html: string,
  field = 'body_html',
  { isExchanged = false } = {},
): Promise<string> {
  const safe = await cleanHtml(html, { isExchanged }).catch((error: unknown) => {
    if (error instanceof HtmlTooHard) throw violation('takes too long to be made safe', field);
    throw error;
  });
  if (safe === null) throw violation(`must not have more than ${MOST_TAGS} tags`, field);
  return safe;
}

const violation = (detail: string, field: string) => new RuleViolation('validation_failed', detail, field);
