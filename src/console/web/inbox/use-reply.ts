import { useEffect, useRef, useState } from 'preact/hooks';
import { serviceTime } from '../data/connection.js';
import { attempt, notify, reasonOf } from '../data/notices.js';
import { useCalls } from '../data/organization.js';
import type { Conversation, KeptFile, Page, Reply } from '../data/records.js';
import { reload, reloadAll, useKept } from '../data/store.js';
import { words } from '../words/words.js';
import { toHtml, toText } from './reply-text.js';

/** What is sent by mistake can be taken back for so long. */
const TAKE_BACK_MS = 8_000;
const SAVE_AFTER_MS = 1_500;
const LOOK_EVERY_MS = 1_000;

const UNDER_WAY = ['queued', 'sending', 'retrying'];
export const isUnderWay = (reply: Reply | null | undefined): boolean =>
  reply != null && UNDER_WAY.includes(reply.delivery.status);

export interface Draft {
  text: string;
  files: KeptFile[];
  cancel_on_reply: boolean;
  close_after_send: boolean;
}

const EMPTY: Draft = { text: '', files: [], cancel_on_reply: false, close_after_send: false };

/** The pending reply of a conversation: what is typed, what is kept of it, and how its delivery goes. */
export function useReply(of: Conversation, sent: () => void) {
  const calls = useCalls();
  const { conversation_id } = of;
  const key = `reply ${conversation_id}`;
  const params = { path: { conversation_id } };
  const path = '/conversations/{conversation_id}/response-drafts';
  const kept = useKept<Reply | null>(key, () =>
    calls.GET<Page<Reply>>(path, { params }).then(({ data }) => data[0] ?? null),
  );
  const reply = kept.data;
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [state, setState] = useState<'same' | 'changed' | 'saving'>('same');
  const [refusal, setRefusal] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const saving = useRef<Promise<unknown>>(Promise.resolve());

  // What a colleague saves meanwhile is shown, unless one types oneself.
  useEffect(() => {
    if (reply === undefined || state !== 'same') return;
    setDraft(reply === null ? EMPTY : draftOf(reply, of));
  }, [reply?.updated_at, reply === null]);

  const underWay = isUnderWay(reply);
  const wasUnderWay = useRef(false);
  useEffect(() => {
    if (wasUnderWay.current && reply === null) {
      notify(words.delivery.sent);
      sent();
      void reloadAll('list ');
      void reload(`conversation ${conversation_id}`);
    }
    wasUnderWay.current = underWay;
    if (!underWay) return;
    const looking = setInterval(() => void reload(key), LOOK_EVERY_MS);
    return () => clearInterval(looking);
  }, [underWay, reply === null]);

  const save = (of: Draft, how: object = { add_notification: false }): Promise<boolean> => {
    clearTimeout(timer.current);
    setState('saving');
    const body = { ...bodyOf(of), ...how };
    const next = saving.current.then(() => calls.POST(path, { params, body }));
    saving.current = next.catch(() => undefined);
    return next.then(
      () => {
        setRefusal(null);
        setState((now) => (now === 'saving' ? 'same' : now));
        return reload(key).then(() => true);
      },
      (error: unknown) => {
        setState('changed');
        setRefusal(reasonOf(error));
        return false;
      },
    );
  };
  const bodyOf = ({ text, files, cancel_on_reply, close_after_send }: Draft) => ({
    body_html: of.last_message.modality === 'email' ? toHtml(text) : text,
    cancel_on_reply,
    close_after_send,
    ...(of.last_message.modality === 'email' && { file_ids: files.map(({ file_id }) => file_id) }),
  });
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    setState('changed');
    clearTimeout(timer.current);
    if (next.text.trim() !== '') timer.current = setTimeout(() => void save(next), SAVE_AFTER_MS);
  };
  const act = (name: 'send' | 'unschedule', body?: object) =>
    attempt(async () => {
      const one = { path: { conversation_id, response_id: reply!.response_id } };
      await calls.POST(`${path}/{response_id}/${name}`, { params: one, body });
    }).then(() => reload(key));
  return {
    reply,
    draft,
    state,
    refusal,
    change,
    save: () => save(draft),
    /** Leaves at that instant, else in a few seconds, in which it can be taken back. */
    send: (at?: Date, part: Partial<Draft> = {}) =>
      save(
        { ...draft, ...part },
        {
          autosend_draft: true,
          add_notification: false,
          send_at: (at ?? new Date(serviceTime() + TAKE_BACK_MS)).toISOString(),
        },
      ),
    /** What is queued for later keeps its time, unless it is taken back first. */
    sendNow: async () => {
      if (underWay) await act('unschedule');
      return act('send', {});
    },
    takeBack: async () => {
      await act('unschedule');
      void reloadAll('list ');
    },
    discard: () =>
      attempt(async () => {
        clearTimeout(timer.current);
        await saving.current;
        if (reply) {
          const one = { path: { conversation_id, response_id: reply.response_id } };
          await calls.DELETE(`${path}/{response_id}`, { params: one });
        }
        setState('same');
        setRefusal(null);
        setDraft(EMPTY);
        await reload(key);
      }),
  };
}

const draftOf = (
  { body_html, files, cancel_on_reply, close_after_send }: Reply,
  of: Conversation,
): Draft => ({
  text: of.last_message.modality === 'email' ? toText(body_html ?? '') : (body_html ?? ''),
  files,
  cancel_on_reply,
  close_after_send,
});
