import { useEffect, useRef } from 'preact/hooks';

/** Does something once nobody has asked for it again for so long; at once when the part of the page is left. */
export function useSoon(ms: number) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const due = useRef<() => void>(undefined);
  useEffect(() => () => due.current?.(), []);
  const notNow = (): void => {
    clearTimeout(timer.current);
    due.current = undefined;
  };
  const soon = (act: () => void): void => {
    notNow();
    due.current = act;
    timer.current = setTimeout(act, ms);
  };
  return { soon, notNow };
}
