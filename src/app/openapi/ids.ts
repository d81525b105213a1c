/** How ids of a record begin, where it is not by the record's name. */
const PREFIXES: Record<string, string> = {
  organization: 'org',
  conversation: 'conv',
  message: 'msg',
  status: 'stage',
  audit_log: 'audit',
  suppression: 'supp',
};

const WORDS: Record<string, string> = {
  modality: 'email',
  record: 'contacts',
  name: 'audit',
  external_id: 'crm-4711',
};

/** A value for a parameter of paths that is a word and no id. */
export const exampleWord = (name: string): string | undefined => WORDS[name];

/** What a parameter of this name looks like: a word that is there, or the id of no record. */
export const exampleId = (name: string): string => {
  if (name === 'solution_id') return '0190f1e2-3c4d-7a5b-8c6d-7e8f9a0b1c2d';
  return exampleWord(name) ?? `${prefixOf(name)}_${NOBODY}`;
};

/** The part of every example's id that comes after its kind. */
const NOBODY = '01hzy3v7q4e8k9m2n5p6r7s8t9';

function prefixOf(name: string): string {
  const record = name.replace(/_id$/, '');
  return PREFIXES[record] ?? record;
}

/** A path with each `{parameter}` filled in. */
export const filledPath = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => exampleId(name));

/** The record whose ids begin like this. */
export const recordOfPrefix = (prefix: string): string =>
  Object.entries(PREFIXES).find(([, one]) => one === prefix)?.[0] ?? prefix;
