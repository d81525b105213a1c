import { useEffect, useState } from 'preact/hooks';
import { words } from '../words/words.js';
import { useConnectionLost } from './connection.js';

/** Why something was refused, to be shown beside it; a lost connection only while it is lost. */
export function useRefusal() {
  const [refusal, setRefusal] = useState<string | null>(null);
  const isLost = useConnectionLost();
  useEffect(() => {
    if (!isLost) setRefusal((now) => (now === words.lost ? null : now));
  }, [isLost]);
  return [refusal, setRefusal] as const;
}
