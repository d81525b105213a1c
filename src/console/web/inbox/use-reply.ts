import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { etagOf, ParleyError } from '../data/api.js';
import { serviceTime, useConnectionLost } from '../data/connection.js';
import type { Seen } from '../data/edit.js';
import { attempt, notify, reasonOf } from '../data/notices.js';
import { useCalls } from '../data/organization.js';
import type { Conversation, Reply } from '../data/records.js';
import { endedBy } from '../data/session.js';
import { useSoon } from '../data/soon.js';
import { reload, reloadAll, useKept } from '../data/store.js';
import { words } from '../words/words.js';
import {
  type Base,
  baseOf,
  bodyOf,
  type Draft,
  EMPTY,
  hasMet,
  isSaved,
  isSent,
  isUnderWay,
  ONE_REPLY,
  pendingReply,
  NOTHING_KEPT,
  REPLIES,
  saysSame,
} from './pending-reply.js';
import { useTyped } from './use-typed.js';

/** What is sent by mistake can be taken back for so long. */
const TAKE_BACK_MS = 8_000;
const SAVE_AFTER_MS = 1_500;
const LOOK_EVERY_MS = 1_000;

const isLostAnswer = (error: unknown): boolean => error instanceof ParleyError && error.status === 0;

/** The pending reply of a conversation: what is typed, what is kept of it, and how its delivery goes. */
export function useReply(of: Conversation, sent: () => void) {
  const calls = useCalls();
  const { conversation_id } = of;
  const key = `reply ${conversation_id}`;
  const params = { path: { conversation_id } };
  const look = () => pendingReply(calls, conversation_id);
  const kept = useKept<Seen<Reply> | null>(key, look);
  const reply = kept.data && kept.data.record;
  const { isFound, draft, base, sendingSince, latest, show, keep, settle } = useTyped(key);
  const [state, setState] = useState<'same' | 'changed' | 'saving'>(isFound ? 'changed' : 'same');
  const [refusal, setRefusal] = useState<string | null>(null);
  /** What another has made of the reply while one typed. */
  const [met, setMet] = useState<{ now: Base } | null>(null);
  const { soon, notNow } = useSoon(SAVE_AFTER_MS);
  const saving = useRef<Promise<unknown>>(Promise.resolve());
  const savings = useRef(0);

  const take = (now: Base) => {
    base.current = now;
    show(now?.draft ?? EMPTY);
    setState('same');
  };
  /** Whether one's own text may be written; what it met is shown beside it. */
  const isFree = (now: Base, mine: Draft): boolean => {
    if (hasMet(base.current, now, mine)) {
      notNow();
      setMet({ now });
      return false;
    }
    base.current = now;
    return true;
  };

  /** What was cut off while it was being sent is taken away where it has left. */
  const hasLeft = async (): Promise<boolean> => {
    const since = sendingSince.current;
    if (since === null || !(await isSent(calls, conversation_id, latest.current, since))) return false;
    sendingSince.current = null;
    take(null);
    settle();
    notify(words.delivery.sent);
    sent();
    return true;
  };

  // What a colleague saves meanwhile is shown; to whoever types, beside their own. Before the next key, which would be lost.
  useLayoutEffect(() => {
    if (kept.data === undefined) return;
    const now = baseOf(kept.data);
    if (state === 'same') take(now);
    else if (isFound && now !== null && saysSame(now.draft, draft)) {
      take(now);
      settle();
    } else if (savings.current === 0 && !isUnderWay(reply)) {
      isFree(now, draft);
      void hasLeft().catch(() => undefined);
    }
  }, [kept.data]);

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

  /** Writes it where nobody else has changed what it builds on; gives whether it did. */
  const write = async (mine: Draft, how: object): Promise<boolean> => {
    // There is no version to name where no reply was there.
    if (base.current === null) {
      const now = await look();
      if (now === null && (await hasLeft())) return true;
      if (isUnderWay(now?.record) || !isFree(baseOf(now), mine)) return false;
    }
    for (;;) {
      const etag = base.current?.etag;
      const headers: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag };
      try {
        const body = { ...bodyOf(mine, base.current, of), ...how };
        const answer = await calls.POST<{ response_id: string }>(REPLIES, { params, body, headers });
        const { response_id } = answer;
        const { body_html } = body;
        const kept = base.current?.kept ?? NOTHING_KEPT;
        base.current = { response_id, etag: etagOf(answer), draft: mine, body_html, kept };
        return true;
      } catch (error) {
        if (!(error instanceof ParleyError) || error.status !== 412) throw error;
      }
      const now = await look();
      // What a colleague is sending is not to be stopped by a text that is saved by itself.
      if (isUnderWay(now?.record) || !isFree(baseOf(now), mine)) return false;
    }
  };
  /** Queues what is saved as it is, be it formatted: it was not written anew. */
  const sendSaved = async (mine: Draft, send_at: string): Promise<boolean> => {
    if (!isFree(baseOf(await look()), mine)) return false;
    const path = { conversation_id, response_id: base.current!.response_id };
    await calls.POST(`${ONE_REPLY}/send`, { params: { path }, body: { send_at } });
    return true;
  };
  const inTurn = async (mine: Draft, act: () => Promise<boolean>): Promise<boolean> => {
    notNow();
    setState('saving');
    savings.current++;
    const next = saving.current.then(act);
    saving.current = next.catch(() => undefined);
    let isDone = false;
    try {
      isDone = await next;
      setRefusal(null);
      sendingSince.current = null;
      setState((now) => (now !== 'saving' ? now : isDone ? 'same' : 'changed'));
      if (isDone && latest.current === mine) settle();
      else keep();
    } catch (error) {
      setState(isSaved(base.current, mine) ? 'same' : 'changed');
      if (!isSaved(base.current, mine)) keep();
      if (!endedBy(error)) setRefusal(reasonOf(error));
      return false;
    } finally {
      savings.current--;
    }
    await reload(key);
    return isDone;
  };
  const save = (mine: Draft) => inTurn(mine, () => write(mine, { add_notification: false }));
  const send = (at?: Date) => {
    const send_at = (at ?? new Date(serviceTime() + TAKE_BACK_MS)).toISOString();
    const how = { autosend_draft: true, add_notification: false, send_at };
    const since = new Date(serviceTime()).toISOString();
    keep(since);
    return inTurn(draft, async () => {
      try {
        return await (isSaved(base.current, draft) ? sendSaved(draft, send_at) : write(draft, how));
      } catch (error) {
        if (isLostAnswer(error)) sendingSince.current = since;
        throw error;
      }
    });
  };
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    show(next);
    sendingSince.current = null;
    setState('changed');
    keep();
    notNow();
    if (next.text.trim() !== '' && met === null) soon(() => void save(next));
  };
  const isLost = useConnectionLost();
  useEffect(() => {
    if (isLost || refusal !== words.lost) return;
    setRefusal(null);
    if (met !== null || draft.text.trim() === '') return;
    const wasSending = sendingSince.current !== null;
    void save(draft).then((isSaved) => {
      if (isSaved && wasSending && latest.current.text !== '') setRefusal(words.composer.notSent);
    });
  }, [isLost]);
  const act = (name: 'send' | 'unschedule', body?: object) =>
    attempt(async () => {
      const path = { conversation_id, response_id: reply!.response_id };
      await calls.POST(`${ONE_REPLY}/${name}`, { params: { path }, body });
    }).then(() => reload(key));
  return {
    reply,
    draft,
    state,
    refusal,
    /** Whether it was shown as it was cut off, and is not saved since. */
    isFound,
    met: met && {
      theirs: met.now?.draft ?? null,
      keep: () => {
        base.current = met.now;
        setMet(null);
        void save(draft);
      },
      take: () => {
        setMet(null);
        take(met.now);
        settle();
      },
    },
    change,
    save: () => save(draft),
    /** Leaves at that instant, else in a few seconds, in which it can be taken back. */
    send,
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
        notNow();
        await saving.current;
        if (reply) {
          const path = { conversation_id, response_id: reply.response_id };
          await calls.DELETE(ONE_REPLY, { params: { path } });
        }
        setRefusal(null);
        take(null);
        settle();
        await reload(key);
      }),
  };
}
