import { useEffect, useRef } from 'preact/hooks';

export interface Key {
  /** As `event.key` has it. */
  key: string;
  label: string;
  act: () => void;
}

interface Layer {
  keys: Key[];
  isEverywhere: boolean;
}

const layers = new Set<{ current: Layer }>();

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);

/** What these keys do by themselves where it is focused. */
const PRESSED: Record<string, string> = { Enter: 'a, button, summary', ' ': 'button, summary' };

const isPress = ({ key, target }: KeyboardEvent): boolean =>
  key in PRESSED && (target as Element).closest(PRESSED[key]!) !== null;

/** Whether the modifiers are those that the keyboard needs for the character: AltGr, which some report as Ctrl and Alt, or a Mac's Option. */
function isCharacter(event: KeyboardEvent): boolean {
  if (event.getModifierState('AltGraph')) return true;
  const isSign = event.key.length === 1 && !/[\p{L}\p{N}\s]/u.test(event.key);
  return isSign && event.altKey && !event.ctrlKey && navigator.platform.startsWith('Mac');
}

/** What is pressed while an input method converts is for that alone; WebKit tells so of the Enter that ends it by the code. */
const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229;

addEventListener('keydown', (event) => isComposing(event) && event.stopPropagation(), { capture: true });

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.metaKey) return;
  if ((event.ctrlKey || event.altKey) && !isCharacter(event)) return;
  // One that has closed is there until the page has heard of it.
  if (document.querySelector('dialog')) return;
  if (isTyping(event.target)) {
    if (event.key === 'Escape') (event.target as HTMLElement).blur();
    return;
  }
  if (isPress(event)) return;
  for (const { current } of [...layers].reverse()) {
    const found = current.keys.find(({ key }) => key === event.key);
    if (!found) continue;
    event.preventDefault();
    return found.act();
  }
});

/** Single keys of what is on the page, while nobody types. */
export function useKeys(keys: Key[], isEverywhere = false): void {
  const layer = useRef<Layer>({ keys, isEverywhere });
  layer.current = { keys, isEverywhere };
  useEffect(() => {
    layers.add(layer);
    return () => void layers.delete(layer);
  }, []);
}

export const keysOf = (everywhere: boolean): Key[] =>
  [...layers].flatMap(({ current }) => (current.isEverywhere === everywhere ? current.keys : []));
