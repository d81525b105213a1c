import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { reasonOf } from '../data/notices.js';
import { endedBy } from '../data/session.js';
import { useRefusal } from '../data/refusal.js';
import { NotSaved } from '../parts/not-saved.js';
import { words } from '../words/words.js';
import type { KeptForm } from './kept-form.js';

/** What has been filled in; what was left empty is not there. */
export type Filled = Record<string, string>;

interface FormProps {
  kept: KeptForm<unknown>;
  act: string;
  /** What it is refused with is shown, and what was typed stays; also where it gives false. */
  run: (filled: Filled, form: FormData) => Promise<unknown>;
  cancel?: () => void;
  children: ComponentChildren;
}

export function Form({ kept, act, run, cancel, children }: FormProps) {
  const [refusal, setRefusal] = useRefusal();
  const box = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => kept.restore(box.current!), []);
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: FormData) => {
    setBusy(true);
    setRefusal(null);
    try {
      if ((await run(filledIn(form), form)) !== false) kept.drop();
    } catch (error) {
      if (!endedBy(error)) setRefusal(reasonOf(error));
    }
    setBusy(false);
  };
  return (
    <form
      ref={box}
      class="ops-form"
      onInput={({ currentTarget }) => kept.keep(currentTarget)}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      {kept.isFound && <NotSaved />}
      {children}
      <div role="alert">{refusal !== null && <p class="refusal">{words.refused(refusal)}</p>}</div>
      <div class="asked-acts">
        {cancel && (
          <button
            type="button"
            class="button"
            onClick={() => {
              kept.drop();
              cancel();
            }}
          >
            {words.cancel}
          </button>
        )}
        <button class="button main" disabled={isBusy}>
          {act}
        </button>
      </div>
    </form>
  );
}

function filledIn(form: FormData): Filled {
  const texts = [...form].map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value.trim() : '',
  ]);
  return Object.fromEntries(texts.filter(([, value]) => value !== ''));
}

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  type?: string;
  defaultValue?: string;
  required?: boolean;
  /** Whether one types into it as soon as it is there. */
  isFirst?: boolean;
  /** Addresses and ids are written from left to right in any language. */
  dir?: 'ltr';
  autocomplete?: string;
  list?: string;
  pattern?: string;
  maxLength?: number;
  min?: number;
  max?: number;
}

/** A labelled field of a form, with a hint where it needs one. */
export function Field({ name, label, hint, isFirst = false, ...rest }: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isFirst) input.current!.focus();
  }, []);
  const id = `field-${name}`;
  return (
    <div>
      <label class="label" for={id}>
        {label}
      </label>
      <input
        id={id}
        ref={input}
        name={name}
        class="field"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...(rest as object)}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} class="quiet small">
          {hint}
        </p>
      )}
    </div>
  );
}

export function Choice({
  name,
  label,
  value,
  options,
  onChange,
}: {
  name: string;
  label: string;
  value?: string;
  options: [value: string, label: string][];
  onChange?: (value: string) => void;
}) {
  const id = `field-${name}`;
  return (
    <div>
      <label class="label" for={id}>
        {label}
      </label>
      <select
        id={id}
        name={name}
        class="field"
        value={value}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        {options.map(([one, shown]) => (
          <option key={one} value={one}>
            {shown}
          </option>
        ))}
      </select>
    </div>
  );
}

export const Tick = ({
  name,
  value = 'on',
  label,
  checked,
}: {
  name: string;
  value?: string;
  label: string;
  checked?: boolean;
}) => (
  <label class="tick">
    <input type="checkbox" name={name} value={value} defaultChecked={checked} />
    <span>{label}</span>
  </label>
);
