import { MetAnother } from '../parts/met-another.js';
import { words } from '../words/words.js';
import type { Draft } from './pending-reply.js';
import type { useReply } from './use-reply.js';

const { composer: text } = words;

/** What a colleague has made of the reply, beside one's own. */
export function MetReply({
  mine,
  theirs,
  keep,
  take,
}: { mine: Draft } & NonNullable<ReturnType<typeof useReply>['met']>) {
  const names = (draft: Draft | null) => draft?.files.map(({ file_name }) => file_name).join('\n') ?? '';
  const files = { label: words.thread.files, mine: names(mine), theirs: names(theirs) };
  return (
    <MetAnother
      fields={[
        { label: text.reply, mine: mine.text, theirs: theirs?.text ?? text.gone },
        ...(files.mine === files.theirs ? [] : [files]),
      ]}
      keep={keep}
      take={take}
    />
  );
}
