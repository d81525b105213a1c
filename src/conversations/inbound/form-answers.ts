import { storable } from '#kernel/text.js';

/** The fields of a submitted form by name; an array where a name has several values. */
export type FormFields = Record<string, unknown>;

/** Something that was filled in, and what the form says of it. */
export interface Answer {
  /** What it is called: its label, title or id where a builder tells them, and its name. */
  labels: string[];
  /** What kind of input it is, where a builder tells. */
  types: string[];
  value: string;
  within: Group;
}

/** A part of the form in which fields stand together. */
export interface Group {
  /** The name of this part; empty for the whole form. */
  name: string;
  depth: number;
  /** Whether the fields stand in a part of this one. Then what stands beside that part tells of the form, not of its sender. */
  isEnvelope: boolean;
}

/** Objects in which form builders put the fields. */
const ENVELOPED = new Set(
  (
    'fields data form formdata formfields values formvalues answers submission submissions payload formresponse response ' +
    'responses namedvalues rawrequest properties humanfields entry record'
  ).split(' '),
);
/** Objects about the person. */
const PEOPLE = new Set('contact person customer lead visitor user client sender attendee hidden'.split(' '));
/** Objects that tell how the form is made, or of the request, not what was filled in. */
const ASIDE = new Set('definition schema options choices meta metadata settings versions context'.split(' '));

// The keys of an object that is one field.
const ID_KEYS = 'key id ref'.split(' ');
const LABEL_KEYS = [...'label title question fieldlabel name fieldname'.split(' '), ...ID_KEYS, 'text'];
const VALUE_KEYS = 'value answer response fieldvalue'.split(' ');
const FIELD_KEYS = 'field item question'.split(' ');

/** More than people fill in, and deeper than builders nest. */
const MOST_ANSWERS = 5_000;
const DEEPEST = 12;

/** The name without case and punctuation. */
export const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Everything that was filled in, however the form's builder has nested and named it. */
export function answersIn(form: FormFields): Answer[] {
  const walk = new Walk();
  walk.fields(nested(form), { label: '', group: { name: '', depth: 0, isEnvelope: false }, depth: 0 });
  return walk.answers;
}

/** A place in the form: the names on the way from its group. */
interface Place {
  label: string;
  group: Group;
  depth: number;
}

interface Described {
  labels: string[];
  types: string[];
}

class Walk {
  readonly answers: Answer[] = [];
  /** The questions, by their ids, where answers name only these. */
  private readonly titles = new Map<string, string>();

  fields(fields: FormFields, { label, group, depth }: Place): void {
    this.learn(fields['definition']);
    for (const [name, written] of Object.entries(fields)) {
      const key = plain(name);
      const isGroup = ENVELOPED.has(key) || PEOPLE.has(key);
      const value = isGroup ? unpacked(written) : written;
      if (ASIDE.has(key) && isObject(value)) continue;
      if (isGroup && isObject(value)) {
        if (ENVELOPED.has(key) && key !== 'form') group.isEnvelope = true;
        const inner = { name: key, depth: group.depth + 1, isEnvelope: false };
        const place = { label: '', group: inner, depth: depth + 1 };
        if (Array.isArray(value)) this.any(value, place);
        else this.inner(value, place, (object) => this.fields(object, place));
      } else this.any(value, { label: `${label} ${name}`.trim(), group, depth: depth + 1 });
    }
  }

  private any(value: unknown, place: Place, told: Described = { labels: [], types: [] }): void {
    if (typeof value === 'string' || typeof value === 'number') this.add(String(value), place, told);
    else if (Array.isArray(value)) this.list(value, place, told);
    else if (isObject(value)) this.inner(value, place, (object) => this.field(object, place, told));
  }

  /** Of several plain values the first counts. */
  private list(values: unknown[], place: Place, told: Described): void {
    if (place.depth > DEEPEST) return;
    const items = values.some(isObject) ? values : values.slice(0, 1);
    for (const item of items) this.any(item, { ...place, depth: place.depth + 1 }, told);
  }

  private inner(object: FormFields, place: Place, work: (object: FormFields) => void): void {
    if (place.depth <= DEEPEST && this.answers.length < MOST_ANSWERS) work(object);
  }

  /** An object that holds a value beside what it is called is one field; any other has fields of its own. */
  private field(object: FormFields, place: Place, told: Described): void {
    const valueKey = valueKeyOf(object);
    if (valueKey === undefined) {
      this.fields(object, { ...place, label: told.labels[0] ?? place.label });
      return;
    }
    const parts = [
      object,
      ...Object.entries(object).flatMap(([key, value]) =>
        FIELD_KEYS.includes(plain(key)) && isObject(value) ? [value] : [],
      ),
    ];
    const own = parts.flatMap((part) => this.labelsOf(part, valueKey));
    const types = parts.map(({ type }) => type).filter((type) => typeof type === 'string');
    this.any(
      object[valueKey],
      { ...place, depth: place.depth + 1 },
      { labels: [...own, ...told.labels], types: [...types, ...told.types] },
    );
  }

  private labelsOf(part: FormFields, valueKey: string): string[] {
    const entries = Object.entries(part).filter(([key]) => key !== valueKey);
    return LABEL_KEYS.flatMap((wanted) => {
      const label = entries.find(([key]) => plain(key) === wanted)?.[1];
      if (typeof label !== 'string') return [];
      // An id with a number was made by the builder: `question_1` asks for nothing.
      const isMade = ID_KEYS.includes(wanted) && /\d/.test(label);
      return [this.titles.get(label) ?? '', isMade ? '' : label].filter((text) => text.trim() !== '');
    });
  }

  private learn(definition: unknown): void {
    const fields = isObject(definition) ? definition['fields'] : [];
    for (const field of Array.isArray(fields) ? (fields as unknown[]) : [])
      if (isObject(field)) {
        const { id, ref, title } = field;
        for (const name of [id, ref])
          if (typeof name === 'string' && typeof title === 'string') this.titles.set(name, title);
      }
  }

  private add(written: string, { label, group }: Place, { labels, types }: Described): void {
    // JSON inside a field may hold what no other text of the form can.
    const value = storable(written).trim();
    if (value === '' || this.answers.length >= MOST_ANSWERS) return;
    this.answers.push({ labels: [...labels, label], types, value, within: group });
  }
}

/** Where an object that is one field has its value: under a common key, or under the name of its type. */
function valueKeyOf(object: FormFields): string | undefined {
  const common = Object.keys(object).find((key) => VALUE_KEYS.includes(plain(key)));
  if (common !== undefined) return common;
  const { type } = object;
  return typeof type === 'string' && Object.hasOwn(object, type) ? type : undefined;
}

/** Some builders send the fields as JSON inside a field. */
function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** The fields with names such as `fields[email][value]` or `contact.email` as objects in objects. */
function nested(form: FormFields): FormFields {
  const root: FormFields = emptyFields();
  for (const [name, value] of Object.entries(form)) {
    const path = pathOf(name);
    let inside = root;
    for (const step of path.slice(0, -1)) {
      const next = (inside[step] ??= emptyFields());
      if (!isObject(next) || Array.isArray(next) || Object.getPrototypeOf(next) !== null) break;
      inside = next;
    }
    inside[path.at(-1)!] ??= value;
  }
  return root;
}

/** No name in a form is special here, not even `__proto__`. */
const emptyFields = (): FormFields => Object.create(null) as FormFields;

function pathOf(name: string): string[] {
  const [, first = '', rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  const path = first
    ? [first, ...rest.slice(1, -1).split('][')]
    : /^[\w-]+(?:\.[\w-]+)+$/.test(name)
      ? name.split('.')
      : [name];
  const steps = path.filter((step) => step !== '');
  return steps.length > 0 && steps.length <= DEEPEST ? steps : [name];
}

const isObject = (value: unknown): value is FormFields => typeof value === 'object' && value !== null;
