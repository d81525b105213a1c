import { words } from '../words/words.js';
import type { Webhook } from './records.js';
import { StateMark } from './state-mark.js';

const { webhooks: text } = words.operations;

/** Whether it takes what is sent to it. */
export function WebhookState({ of: { paused, paused_because, failing_since } }: { of: Webhook }) {
  if (paused) return <StateMark kind="waiting">{text.paused[paused_because ?? 'asked']}</StateMark>;
  if (failing_since !== null) return <StateMark kind="failed">{text.failing}</StateMark>;
  return <StateMark kind="done">{text.active}</StateMark>;
}
