import { useLayoutEffect, useRef } from 'preact/hooks';
import { companyKind } from '../companies/kind.js';
import { useCalls } from '../data/organization.js';
import { useAgents } from '../inbox/use-conversations.js';
import { clockHere, instantHere } from '../format.js';
import { Combobox } from '../parts/combobox.js';
import { words } from '../words/words.js';
import { finderOf } from './find-records.js';
import type { Field } from './kind.js';

const { records: text } = words;

interface Props {
  field: Field;
  value: string;
  change: (value: string) => void;
  /** Takes what was chosen at once. */
  choose: (value: string) => void;
  cancel: () => void;
}

/** Where a value is changed, by its type. */
export function FieldInput(props: Props) {
  const { field, choose, cancel } = props;
  const calls = useCalls();
  if (field.type === 'company')
    return (
      <Combobox
        label={field.label}
        hint={text.findCompany}
        find={finderOf(calls, companyKind)}
        choose={({ id }) => choose(id)}
        leave={cancel}
      />
    );
  if (field.type === 'agent') return <AgentInput {...props} />;
  if (field.type === 'enum')
    return <Select {...props} options={(field.options ?? []).map((option) => [option, option])} />;
  if (field.type === 'boolean')
    return (
      <Select
        {...props}
        options={[
          ['true', text.yes],
          ['false', text.no],
        ]}
      />
    );
  if (field.type === 'instant') return <InstantInput {...props} />;
  return <TextInput {...props} />;
}

function AgentInput(props: Props) {
  const agents = useAgents();
  return (
    <Select {...props} options={agents.map(({ agent_id, name }): [string, string] => [agent_id, name])} />
  );
}

function Select({ field, value, change, options }: Props & { options: [string, string][] }) {
  const input = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <select
      ref={input}
      class="field"
      aria-label={field.label}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    >
      <option value="">{words.contact.none}</option>
      {options.map(([one, shown]) => (
        <option key={one} value={one}>
          {shown}
        </option>
      ))}
    </select>
  );
}

/** By the clock of the organization. */
function InstantInput({ field, value, change }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <input
      ref={input}
      class="field"
      type="datetime-local"
      aria-label={field.label}
      value={value === '' ? '' : clockHere(value)}
      onInput={({ currentTarget: { value: clock } }) => change(clock === '' ? '' : instantHere(clock))}
    />
  );
}

const INPUT_MODE: Partial<Record<Field['type'], 'email' | 'tel' | 'decimal'>> = {
  email: 'email',
  tel: 'tel',
  number: 'decimal',
};

function TextInput({ field, value, change }: Props) {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const given = {
    ref: input,
    class: 'field',
    dir: 'auto' as const,
    'aria-label': field.label,
    value,
    onInput: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  };
  if (field.type === 'lines') return <textarea {...given} rows={3} />;
  if (field.type === 'date') return <input {...given} type="date" />;
  return <input {...given} inputMode={INPUT_MODE[field.type]} />;
}
