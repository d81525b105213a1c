import { RuleViolation } from '#kernel/decider.js';
import { MOST_TAGS, safeHtml } from '#mail/safe-html.js';

/** HTML of a body's field by `safeHtml`. Throws `RuleViolation` for more than 50,000 tags, or what begins like one. */
export function sanitizeHtml(html: string, field = 'body_html'): string {
  const safe = safeHtml(html);
  if (safe === null)
    throw new RuleViolation('validation_failed', `must not have more than ${MOST_TAGS} tags`, field);
  return safe;
}
