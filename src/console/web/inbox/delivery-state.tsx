import type { Reply } from '../data/records.js';
import { serviceTime } from '../data/connection.js';
import { may } from '../data/session.js';
import { exact, moment } from '../format.js';
import { Icon, type IconName } from '../parts/icon.js';
import { words } from '../words/words.js';

const { delivery: text } = words;

interface Props {
  reply: Reply;
  takeBack: () => void;
  sendNow: () => void;
}

/** How the delivery stands, as the service knows it, and what one can do about it. */
export function DeliveryState({ reply, takeBack, sendNow }: Props) {
  const { status, attempts, last_error } = reply.delivery;
  const isBad = status === 'failed' || status === 'uncertain';
  const canTakeBack = status === 'queued' || status === 'retrying';
  return (
    <div class={`delivery ${isBad ? 'is-bad' : ''}`} role="status">
      <Icon name={ICONS[status] ?? 'clock'} />
      <div>
        <p
          title={reply.delivery.next_attempt_at === null ? undefined : exact(reply.delivery.next_attempt_at)}
        >
          {sentence(reply)}
        </p>
        {last_error !== null && status !== 'queued' && (
          <p class="small">
            {text.why(last_error)} {text.attempts(attempts)}
          </p>
        )}
        {reply.cancel_on_reply && status === 'queued' && (
          <p class="small quiet">{words.composer.leftBecauseOf}</p>
        )}
      </div>
      {may('send') && (
        <div class="delivery-acts">
          {canTakeBack && (
            <button class="button" onClick={takeBack}>
              {words.takeBack}
            </button>
          )}
          {status !== 'sending' && (
            <button class="button" onClick={sendNow}>
              {isBad ? text.again : text.now}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

const ICONS: Partial<Record<string, IconName>> = { failed: 'alert', uncertain: 'alert', retrying: 'alert' };

function sentence({ delivery: { status, next_attempt_at } }: Reply): string {
  if (status === 'sending') return text.sending;
  if (status === 'failed') return text.failed;
  if (status === 'uncertain') return text.uncertain;
  if (next_attempt_at === null) return text.queued;
  const seconds = Math.floor((Date.parse(next_attempt_at) - serviceTime()) / 1000);
  if (status === 'retrying') return text.retrying(moment(next_attempt_at));
  if (seconds <= 0) return text.queued;
  return seconds <= 60 ? text.sendsIn(seconds) : text.scheduled(moment(next_attempt_at));
}
