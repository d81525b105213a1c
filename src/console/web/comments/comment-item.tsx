import { useState } from 'preact/hooks';
import { useCalls } from '../data/organization.js';
import { attempt } from '../data/notices.js';
import type { Comment } from '../data/records.js';
import { may, session } from '../data/session.js';
import { reloadAll } from '../data/store.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { Linked } from '../parts/linked.js';
import { Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { useAgents } from '../inbox/use-conversations.js';

/** A note among colleagues, between the messages, and never to be mistaken for one. */
export function CommentItem({ comment }: { comment: Comment }) {
  const calls = useCalls();
  const agents = useAgents();
  const author = agents.find(({ agent_id }) => agent_id === comment.agent_id)?.name ?? words.thread.us;
  const own = session()?.agent?.agent_id ?? null;
  const [isAsking, setAsking] = useState(false);
  const remove = () =>
    attempt(async () => {
      const params = { path: { comment_id: comment.comment_id } };
      await calls.DELETE('/comments/{comment_id}', { params });
      await reloadAll('comments ');
    });
  return (
    <li class="entry is-comment">
      <article aria-label={`${author}, ${words.thread.comment}`}>
        <header class="entry-head">
          <span class="author">{author}</span>
          <Icon name="note" size={14} />
          <span class="quiet small cut">{words.thread.comment}</span>
          <Time at={comment.created_at} class="quiet small entry-time" />
        </header>
        <p class="prose">
          <Linked text={comment.body} />
        </p>
        {may('write') && (own === null || own === comment.agent_id) && (
          <button class="button link small" onClick={() => setAsking(true)}>
            {words.thread.deleteComment}
          </button>
        )}
        {isAsking && <AskDelete remove={() => void remove()} close={() => setAsking(false)} />}
      </article>
    </li>
  );
}

/** Asks once, since it cannot be taken back. */
const AskDelete = ({ remove, close }: { remove: () => void; close: () => void }) => (
  <Dialog label={words.thread.deleteCommentTitle} close={close}>
    <div class="card-form">
      <h2>{words.thread.deleteCommentTitle}</h2>
      <p>{words.thread.deleteCommentHint}</p>
      <div class="card-acts">
        <button
          class="button danger"
          onClick={() => {
            close();
            remove();
          }}
        >
          {words.thread.deleteComment}
        </button>
        <button class="button" autofocus onClick={close}>
          {words.cancel}
        </button>
      </div>
    </div>
  </Dialog>
);
