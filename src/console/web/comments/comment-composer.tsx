import { useRef, useState } from 'preact/hooks';
import { useCalls } from '../data/organization.js';
import { attempt } from '../data/notices.js';
import { reload } from '../data/store.js';
import { useWritten } from '../data/unsaved.js';
import { Menu } from '../parts/menu.js';
import { NotSaved } from '../parts/not-saved.js';
import { words } from '../words/words.js';
import { useAgents } from '../inbox/use-conversations.js';
import { begunName, mentionsIn, type Named, whoBeginsSo, type Written } from './mentions.js';
import { Offered, useOffered } from './offered.js';

const { composer: text } = words;

export interface Commented {
  place: 'conversations' | 'contacts' | 'companies' | 'sales';
  id: string;
}

export function CommentComposer({ of: { place, id } }: { of: Commented }) {
  const calls = useCalls();
  const agents = useAgents();
  const field = useRef<HTMLTextAreaElement>(null);
  const { value, write, end, isFound } = useWritten<Written>(`comment ${id}`, { body: '', mentioned: [] });
  const [isBusy, setBusy] = useState(false);
  const [before, setBefore] = useState('');
  const begun = begunName(before);
  const add = async () => {
    setBusy(true);
    await attempt(async () => {
      await calls.POST(`/${place}/{id}/comments`, {
        params: { path: { id } },
        body: { body: value.body, mentioned_agent_ids: mentionsIn(value, agents) },
      });
      end();
      await reload(`comments ${id}`);
    });
    setBusy(false);
  };
  const mention = ({ agent_id, name }: Named) => {
    const cursor = field.current!.selectionEnd;
    const start = begun?.at ?? cursor;
    const space = start === 0 || begun || /\s$/.test(value.body.slice(0, start)) ? '' : ' ';
    const rest = value.body.slice(cursor);
    const head = `${value.body.slice(0, start)}${space}@${name}${/^[\s\p{P}]/u.test(rest) ? '' : ' '}`;
    write({
      body: head + rest,
      mentioned: [...new Set([...value.mentioned, agent_id])],
    });
    setBefore('');
    field.current!.focus();
    // Once the text is in the field.
    requestAnimationFrame(() => field.current?.setSelectionRange(head.length, head.length));
  };
  const offered = useOffered(begun ? whoBeginsSo(agents, begun.letters) : [], mention, () => setBefore(''));
  const look = () => setBefore(field.current!.value.slice(0, field.current!.selectionEnd));
  const canAdd = value.body.trim() !== '' && !isBusy;
  return (
    <>
      <div class="mentioning">
        <textarea
          ref={field}
          class="field"
          rows={3}
          aria-label={text.commentText}
          placeholder={text.commentText}
          value={value.body}
          readOnly={isBusy}
          {...offered.field}
          onInput={(event) => {
            write({ ...value, body: event.currentTarget.value });
            look();
          }}
          onClick={look}
          onKeyDown={(event) => {
            if (offered.takes(event)) return;
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canAdd) void add();
          }}
        />
        <Offered {...offered} />
      </div>
      {isFound && <NotSaved />}
      <div class="composer-acts">
        <button class="button main" disabled={!canAdd} onClick={() => void add()}>
          {text.saveComment}
        </button>
        <Menu label={text.mention} place="up">
          {(close) =>
            agents.map((agent) => (
              <button
                key={agent.agent_id}
                class="menu-item"
                onClick={() => {
                  close();
                  mention(agent);
                }}
              >
                {agent.name}
              </button>
            ))
          }
        </Menu>
      </div>
    </>
  );
}
