import { useCalls } from '../data/organization.js';
import type { Comment, Page } from '../data/records.js';
import { usePages } from '../data/pages.js';
import { may } from '../data/session.js';
import { notify, reasonOf } from '../data/notices.js';
import { reload } from '../data/store.js';
import { Failed, Skeleton } from '../parts/states.js';
import { words } from '../words/words.js';
import { CommentComposer, type Commented } from './comment-composer.js';
import { CommentItem } from './comment-item.js';

const PAGE = 50;

/** What colleagues noted of a record, the newest first, and a field for more. */
export function Comments({ of }: { of: Commented }) {
  const calls = useCalls();
  const key = `comments ${of.id}`;
  const { data, error, more } = usePages<Comment>(
    key,
    (cursor) =>
      calls.GET<Page<Comment>>(`/${of.place}/{id}/comments`, {
        params: { path: { id: of.id }, query: { limit: PAGE, cursor } },
      }),
    ({ comment_id }) => comment_id,
  );
  const moreOrWhyNot = async () => {
    const failure = await more();
    if (failure) notify(words.refused(reasonOf(failure)));
  };
  return (
    <div class="comments">
      {may('write') && (
        <section class="comments-new" aria-label={words.composer.comment}>
          <CommentComposer of={of} />
        </section>
      )}
      {!data && error && <Failed error={error} again={() => void reload(key)} />}
      {!data && !error && <Skeleton rows={3} height={64} />}
      {data?.rows.length === 0 && <p class="quiet">{words.records.noComments}</p>}
      <ol class="entries">
        {data?.rows.map((comment) => (
          <CommentItem key={comment.comment_id} comment={comment} />
        ))}
      </ol>
      {data && data.next !== null && (
        <button class="button" onClick={() => void moreOrWhyNot()}>
          {words.more}
        </button>
      )}
    </div>
  );
}
