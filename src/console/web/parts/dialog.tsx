import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A card above the page, closed by Escape or by a click beside it; a firm one only by what is on it. */
export function Dialog(props: {
  label: string;
  class?: string;
  isFirm?: boolean;
  close: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key, which is the first of what is typed here.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class={`card ${props.class ?? ''}`}
      aria-label={props.label}
      onClose={props.close}
      onClick={(event) => {
        if (event.target === dialog.current && !props.isFirm) props.close();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && props.isFirm) event.preventDefault();
      }}
    >
      {props.children}
    </dialog>
  );
}
