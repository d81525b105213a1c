import { useLayoutEffect, useRef } from 'preact/hooks';
import { CommentComposer } from '../comments/comment-composer.js';
import type { Conversation } from '../data/records.js';
import { changedQuery, go, useRoute } from '../data/route.js';
import { may } from '../data/session.js';
import { useKeys } from '../parts/keys.js';
import { words } from '../words/words.js';
import { ReplyComposer } from './reply-composer.js';

const { composer: text } = words;

/** A reply to the customer or a comment among colleagues; `write` in the address says which. */
export function Composer({ of, sent }: { of: Conversation; sent: () => void }) {
  const { query } = useRoute();
  const box = useRef<HTMLElement>(null);
  const isComment = query.get('write') === 'comment';
  const wantsFocus = useRef(false);
  const focus = () => box.current?.querySelector('textarea')?.focus();
  const write = (what: 'comment' | null) => {
    if (isComment === (what === 'comment')) return focus();
    wantsFocus.current = true;
    go(`${location.pathname}?${changedQuery({ write: what }).toString()}`, { replace: true });
  };
  // As soon as the field is there: the next key is the first of the text.
  useLayoutEffect(() => {
    if (wantsFocus.current) focus();
    wantsFocus.current = false;
  }, [isComment]);
  useKeys(
    may('write')
      ? [
          { key: 'r', label: words.key.reply, act: () => write(null) },
          { key: 'c', label: words.key.comment, act: () => write('comment') },
        ]
      : [],
  );
  if (!may('write')) return <p class="composer quiet small">{text.mayNotWrite}</p>;
  return (
    <section class={`composer ${isComment ? 'is-comment' : ''}`} aria-label={text.label} ref={box}>
      <div class="tabs">
        <button class="tab" aria-pressed={!isComment} onClick={() => write(null)}>
          {text.reply}
        </button>
        <button class="tab" aria-pressed={isComment} onClick={() => write('comment')}>
          {text.comment}
        </button>
      </div>
      {isComment ? (
        <CommentComposer of={{ place: 'conversations', id: of.conversation_id }} />
      ) : (
        <ReplyComposer of={of} sent={sent} />
      )}
    </section>
  );
}
