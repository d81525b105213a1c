import { useRef, useState } from 'preact/hooks';
import { useCalls } from '../data/organization.js';
import { attempt } from '../data/notices.js';
import { reload } from '../data/store.js';
import { Menu } from '../parts/menu.js';
import { words } from '../words/words.js';
import { useAgents } from '../inbox/use-conversations.js';

const { composer: text } = words;

export interface Commented {
  place: 'conversations' | 'contacts' | 'companies' | 'sales';
  id: string;
}

export function CommentComposer({ of: { place, id } }: { of: Commented }) {
  const calls = useCalls();
  const agents = useAgents();
  const field = useRef<HTMLTextAreaElement>(null);
  const [body, setBody] = useState('');
  const [mentioned, setMentioned] = useState<string[]>([]);
  const add = () =>
    attempt(async () => {
      await calls.POST(`/${place}/{id}/comments`, {
        params: { path: { id } },
        body: { body, mentioned_agent_ids: mentioned },
      });
      setBody('');
      setMentioned([]);
      await reload(`comments ${id}`);
    });
  const mention = (agentId: string, name: string) => {
    setMentioned((now) => [...new Set([...now, agentId])]);
    setBody((now) => `${now}${now === '' || now.endsWith(' ') ? '' : ' '}@${name} `);
    field.current?.focus();
  };
  const isEmpty = body.trim() === '';
  return (
    <>
      <textarea
        ref={field}
        class="field"
        rows={3}
        aria-label={text.commentText}
        placeholder={text.commentText}
        value={body}
        onInput={(event) => setBody(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isEmpty) void add();
        }}
      />
      <div class="composer-acts">
        <button class="button main" disabled={isEmpty} onClick={() => void add()}>
          {text.saveComment}
        </button>
        <Menu label={text.mention} place="up">
          {(close) =>
            agents.map(({ agent_id, name }) => (
              <button
                key={agent_id}
                class="menu-item"
                onClick={() => {
                  close();
                  mention(agent_id, name);
                }}
              >
                {name}
              </button>
            ))
          }
        </Menu>
      </div>
    </>
  );
}
