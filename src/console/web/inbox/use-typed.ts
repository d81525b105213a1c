import { useRef, useState } from 'preact/hooks';
import { useUnsaved } from '../data/unsaved.js';
import { type Base, type Draft, EMPTY } from './pending-reply.js';

/** A reply as the browser keeps it until the service has it. */
interface Typed {
  draft: Draft;
  base: Base;
  /** The time of the service at which one sent it, while that has no answer. */
  sendingSince: string | null;
}

/** What is typed into the reply, what that builds on, and what this browser keeps of both. */
export function useTyped(key: string) {
  const { found, ...unsaved } = useUnsaved<Typed>(key);
  const [isFound, setFound] = useState(found !== null);
  const [draft, setDraft] = useState(found?.draft ?? EMPTY);
  const base = useRef<Base>(found?.base ?? null);
  const sendingSince = useRef(found?.sendingSince ?? null);
  /** As it is before the next drawing. */
  const latest = useRef(draft);
  latest.current = draft;
  return {
    isFound,
    draft,
    base,
    sendingSince,
    latest,
    show: (now: Draft) => {
      latest.current = now;
      setDraft(now);
    },
    keep: (since = sendingSince.current) => {
      const { text, files } = latest.current;
      if (base.current === null && text === '' && files.length === 0) unsaved.drop();
      else unsaved.keep({ draft: latest.current, base: base.current, sendingSince: since });
    },
    /** Nothing more is to be saved. */
    settle: () => {
      setFound(false);
      unsaved.drop();
    },
  };
}
