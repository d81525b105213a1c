import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { CommentItem } from '../comments/comment-item.js';
import { allPages } from '../data/all-pages.js';
import { attempt } from '../data/notices.js';
import { useCalls } from '../data/organization.js';
import { usePages } from '../data/pages.js';
import type { Comment, Conversation, Message, Page } from '../data/records.js';
import { may } from '../data/session.js';
import { type Kept, reload, reloadAll, useKept } from '../data/store.js';
import { Failed, Skeleton } from '../parts/states.js';
import { words } from '../words/words.js';
import { Composer } from './composer.js';
import { MessageItem } from './message-item.js';
import { ThreadHead } from './thread-head.js';
import { change } from './use-conversations.js';

const PAGE = 30;

type Entry = { at: string; message: Message } | { at: string; comment: Comment };

/** Messages and comments in the order of time, the newest below, and the composer. */
export function Thread({ id, conversation }: { id: string; conversation: Kept<Conversation> }) {
  const calls = useCalls();
  const params = { path: { conversation_id: id } };
  const messages = usePages<Message>(
    `messages ${id}`,
    (cursor) =>
      calls.GET<Page<Message>>('/conversations/{conversation_id}/messages', {
        params: { ...params, query: { limit: PAGE, cursor, expand: 'agent' } },
      }),
    ({ message_id }) => message_id,
  );
  const comments = useKept(`comments ${id}`, () =>
    allPages((query) =>
      calls.GET<Page<Comment>>('/conversations/{conversation_id}/comments', { params: { ...params, query } }),
    ),
  );
  useRead(conversation.data);
  const rows = messages.data?.rows;
  const scroll = useStayBelow(
    conversation.data !== undefined,
    rows?.[0]?.message_id,
    comments.data?.[0]?.comment_id,
  );
  const error = conversation.data ? messages.error : (conversation.error ?? messages.error);
  if (error && (!conversation.data || !rows))
    return (
      <section class="thread" aria-label={words.thread.label}>
        <Failed
          error={error}
          again={() => {
            void reload(`conversation ${id}`);
            void reload(`messages ${id}`);
          }}
        />
      </section>
    );
  const earlier = () =>
    void attempt(async () => {
      const failed = await messages.more();
      if (failed) throw failed;
    });
  return (
    <section class="thread" aria-label={words.thread.label}>
      {conversation.data ? <ThreadHead of={conversation.data} /> : <div class="thread-head" />}
      <div class="messages" ref={scroll} tabIndex={0} role="region" aria-label={words.thread.messages}>
        {rows && conversation.data ? (
          <>
            {messages.data!.next !== null && (
              <button class="button earlier" onClick={earlier}>
                {words.thread.earlier}
              </button>
            )}
            <ol class="entries">
              {entriesOf(rows, comments.data ?? [], messages.data!.next !== null).map((entry) =>
                'message' in entry ? (
                  <MessageItem
                    key={entry.message.message_id}
                    message={entry.message}
                    of={conversation.data!}
                  />
                ) : (
                  <CommentItem key={entry.comment.comment_id} comment={entry.comment} />
                ),
              )}
            </ol>
          </>
        ) : (
          <Skeleton rows={4} height={104} />
        )}
      </div>
      {conversation.data && <Composer of={conversation.data} sent={() => void reloadAll(`messages ${id}`)} />}
    </section>
  );
}

/** Opening an unread conversation reads it. */
function useRead(conversation: Conversation | undefined): void {
  const calls = useCalls();
  const isDone = useRef(false);
  useEffect(() => {
    if (!conversation || isDone.current) return;
    isDone.current = true;
    if (!conversation.is_read && may('write'))
      void change(calls, conversation.conversation_id, { is_read: true });
  }, [conversation]);
}

/** Keeps the newest entry in view, and the place of whoever reads further up. */
function useStayBelow(...newest: unknown[]) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, newest);
  return box;
}

/** Comments older than the first message that is shown wait until that page is. */
function entriesOf(messages: Message[], comments: Comment[], hasEarlier: boolean): Entry[] {
  const entries: Entry[] = messages.map((message) => ({ at: message.sent_at, message }));
  const first = messages.map(({ sent_at }) => sent_at).sort()[0];
  for (const comment of comments)
    if (!hasEarlier || first === undefined || comment.created_at >= first)
      entries.push({ at: comment.created_at, comment });
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
