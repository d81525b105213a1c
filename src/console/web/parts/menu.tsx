import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  label: ComponentChildren;
  /** Named when the label is a drawing. */
  name?: string;
  class?: string;
  place?: string;
  disabled?: boolean;
  children: (close: () => void) => ComponentChildren;
}

/** A button that opens a list of acts; arrows go through it, Escape closes it. */
export function Menu({ label, name, class: kind = 'button', place = '', disabled, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    whole.current?.querySelector('button')?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    whole.current?.querySelector<HTMLElement>('.menu-list :is(button, input, select)')?.focus();
    const leave = (event: Event) => {
      if (!whole.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', leave);
    return () => removeEventListener('pointerdown', leave);
  }, [isOpen]);
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      return close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || (event.target as Element).matches('input, select')) return;
    event.preventDefault();
    const items = [...whole.current!.querySelectorAll<HTMLElement>('.menu-list button')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[(at + step + items.length) % items.length]?.focus();
  };
  return (
    <div class="menu" ref={whole} onKeyDown={isOpen ? walk : undefined}>
      <button
        type="button"
        class={kind}
        aria-expanded={isOpen}
        aria-label={name}
        title={name}
        disabled={disabled}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && <div class={`menu-list ${place}`}>{children(close)}</div>}
    </div>
  );
}
