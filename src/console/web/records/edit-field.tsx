import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Seen } from '../data/edit.js';
import { notify } from '../data/notices.js';
import { useRefusal } from '../data/refusal.js';
import { useUnsaved } from '../data/unsaved.js';
import { Icon } from '../parts/icon.js';
import { MetAnother } from '../parts/met-another.js';
import { NotSaved } from '../parts/not-saved.js';
import { words } from '../words/words.js';
import { FieldInput } from './field-input.js';
import { changeOf, type Field, textOf, typedValue, valueIn } from './kind.js';
import { ShownValue } from './shown-value.js';
import type { Save } from './use-records.js';

const { records: text } = words;

interface Props<R> {
  /** Of the record. */
  id: string;
  field: Field;
  seen: Seen<R>;
  /** Left out where the key may not write. */
  save?: Save<R>;
}

interface Typing<R> {
  /** The record as it was when one began. */
  base: Seen<R>;
  value: string;
}

/** A value that is changed in its place. */
export function EditField<R extends object>({ id, field, seen, save }: Props<R>) {
  const unsaved = useUnsaved<Typing<R>>(`field ${id} ${String(field.isCustom)} ${field.name}`);
  const [typing, setTyping] = useState(save ? unsaved.found : null);
  const [isFound, setFound] = useState(unsaved.found !== null);
  const [refusal, setRefusal] = useRefusal();
  const [met, setMet] = useState<{ now: Seen<R>; mine: unknown } | null>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const isBusy = typing !== null || met !== null;
  const wasBusy = useRef(false);
  // Whoever has ended goes on from where they began.
  useLayoutEffect(() => {
    if (wasBusy.current && !isBusy) edit.current?.focus();
    wasBusy.current = isBusy;
  }, [isBusy]);

  const value = valueIn(seen.record, field);
  const type = (next: string) => {
    setTyping({ ...typing!, value: next });
    // Of the record only what is changed: the browser keeps it.
    const { record, etag } = typing!.base;
    const base = { record: changeOf(field, valueIn(record, field)) as R, etag };
    unsaved.keep({ base, value: next });
  };
  const end = () => {
    setTyping(null);
    setMet(null);
    setRefusal(null);
    setFound(false);
    unsaved.drop();
  };
  const write = async (base: Seen<R>, next: unknown) => {
    setTyping(null);
    setMet(null);
    setRefusal(null);
    const before = valueIn(base.record, field);
    if (textOf(next) === textOf(before)) return end();
    const outcome = await save!(base, changeOf(field, next));
    if ('met' in outcome) setMet({ now: outcome.met, mine: next });
    else if ('refused' in outcome) {
      setTyping({ base, value: textOf(next) });
      setRefusal(outcome.refused);
    } else {
      end();
      notify(text.saved(field.label), {
        label: words.undo,
        run: () => void undo(outcome.done, before === '' ? null : (before ?? null)),
      });
    }
  };
  const undo = async (base: Seen<R>, before: unknown) => {
    const outcome = await save!(base, changeOf(field, before));
    if ('refused' in outcome) notify(words.refused(outcome.refused));
    if ('met' in outcome) notify(words.refused(words.met.title));
  };

  if (met !== null)
    return (
      <Fact label={field.label}>
        <MetAnother
          fields={[
            {
              label: field.label,
              mine: <ShownValue field={field} value={met.mine} />,
              theirs: <ShownValue field={field} value={valueIn(met.now.record, field)} />,
            },
          ]}
          keep={() => void write(met.now, met.mine)}
          take={end}
        />
      </Fact>
    );
  if (typing !== null) {
    const submit = () => void write(typing.base, typedValue(field, typing.value));
    return (
      <Fact label={field.label}>
        <form
          class="edit"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') end();
            else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
            else return;
            event.preventDefault();
          }}
        >
          <FieldInput
            field={field}
            value={typing.value}
            change={type}
            choose={(next) => void write(typing.base, next)}
            cancel={end}
          />
          {isFound && <NotSaved />}
          {refusal !== null && (
            <p class="refusal" role="alert">
              {refusal}
            </p>
          )}
          <div class="edit-acts">
            {field.type !== 'company' && <button class="button slim">{text.save}</button>}
            {field.type === 'company' && value !== null && (
              <button type="button" class="button slim" onClick={() => void write(typing.base, null)}>
                {text.noCompany}
              </button>
            )}
            <button type="button" class="button slim" onClick={end}>
              {words.cancel}
            </button>
          </div>
        </form>
      </Fact>
    );
  }
  return (
    <Fact label={field.label}>
      <div class="value">
        <ShownValue field={field} value={value} linked />
        {save && (
          <button
            ref={edit}
            class="button bare slim"
            aria-label={text.change(field.label)}
            title={text.change(field.label)}
            onClick={() => setTyping({ base: seen, value: textOf(value) })}
          >
            <Icon name="edit" size={14} />
          </button>
        )}
      </div>
    </Fact>
  );
}

const Fact = ({ label, children }: { label: string; children: preact.ComponentChildren }) => (
  <div class="fact">
    <dt class="quiet">{label}</dt>
    <dd>{children}</dd>
  </div>
);
