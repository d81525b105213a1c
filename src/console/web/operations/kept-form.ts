import { useState } from 'preact/hooks';
import { useUnsaved } from '../data/unsaved.js';

/** What differs from what the form began with, by the names of its fields. */
type Fields = Record<string, string | boolean>;

interface Written<T> {
  fields: Fields;
  /** What the person looked at when they began. */
  base?: T;
}

export interface KeptForm<T = undefined> {
  base: T;
  isFound: boolean;
  /** Fills in what was written before. */
  restore: (form: HTMLFormElement) => void;
  keep: (form: HTMLFormElement) => void;
  drop: () => void;
}

/** What is filled into a form, kept until it is sent or taken back; secrets are not. */
export function useKeptForm<T = undefined>(what: string, of?: T): KeptForm<T> {
  const { found, keep, drop } = useUnsaved<Written<T>>(`form ${what}`);
  const [base] = useState((found?.base ?? of) as T);
  return {
    base,
    isFound: found !== null,
    restore: (form) => {
      for (const input of inputsOf(form)) fillIn(input, found?.fields[keyOf(input)]);
    },
    keep: (form) => {
      const changed = inputsOf(form).filter((input) => valueOf(input) !== begunWith(input));
      const fields = Object.fromEntries(changed.map((input) => [keyOf(input), valueOf(input)]));
      if (changed.length === 0) drop();
      else keep({ fields, base });
    },
    drop,
  };
}

type Input = HTMLInputElement | HTMLSelectElement;

const inputsOf = (form: HTMLFormElement): Input[] =>
  [...form.querySelectorAll<Input>('input[name], select[name]')].filter(({ type }) => type !== 'password');

const isTick = (input: Input): input is HTMLInputElement => input.type === 'checkbox';

const keyOf = (input: Input): string => (isTick(input) ? `${input.name} ${input.value}` : input.name);

const valueOf = (input: Input): string | boolean => (isTick(input) ? input.checked : input.value);

const begunWith = (input: Input): string | boolean => {
  if (isTick(input)) return input.defaultChecked;
  return input instanceof HTMLInputElement ? input.defaultValue : (input.options[0]?.value ?? '');
};

function fillIn(input: Input, value: string | boolean | undefined): void {
  if (typeof value === 'boolean' && isTick(input)) input.checked = value;
  else if (typeof value === 'string') input.value = value;
  else return;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
