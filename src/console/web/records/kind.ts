import type { CrmRecord, CustomField } from '../data/records.js';

/** A field that people change in its place. */
export interface Field {
  name: string;
  label: string;
  type:
    | 'text'
    | 'tel'
    | 'email'
    | 'lines'
    | 'number'
    | 'boolean'
    | 'enum'
    | 'date'
    | 'instant'
    | 'company'
    | 'agent';
  options?: string[];
  /** One of the organization's own. */
  isCustom?: boolean;
}

/** Where a record keeps the organization's own fields. */
interface Customized {
  custom_fields?: Record<string, unknown>;
}

export interface KindWords {
  search: string;
  add: string;
  noneYet: string;
  noneYetHint: string;
  mergeTitle: string;
  merged: string;
  deleted: string;
  deleteTitle: (name: string) => string;
}

/** What contacts and companies differ in. */
export interface Kind<R extends CrmRecord> {
  type: 'contact' | 'company';
  /** Of its page and of its routes. */
  place: 'contacts' | 'companies';
  text: KindWords;
  fields: Field[];
  /** Those of a new one. */
  begins: string[];
  /** What a list shows beside each. */
  expand: string;
  idOf: (record: R) => string;
  titleOf: (record: R) => string;
  /** What tells it from others of that title. */
  hintOf: (record: R) => string;
  sorts: [value: string, label: string][];
}

export const customField = ({ key, label, type, ui_type, options }: CustomField): Field => {
  const field = { name: key, label, isCustom: true };
  if (type === 'enum') return { ...field, type, options: options ?? [] };
  if (type !== 'string') return { ...field, type };
  if (ui_type === 'date') return { ...field, type: 'date' };
  return { ...field, type: ui_type === 'address' || ui_type === 'paragraph' ? 'lines' : 'text' };
};

export const valueIn = (record: object, { name, isCustom }: Field): unknown =>
  isCustom ? (record as Customized).custom_fields?.[name] : (record as Record<string, unknown>)[name];

/** The body that changes it. */
export const changeOf = ({ name, isCustom }: Field, value: unknown): object =>
  isCustom ? { custom_fields: { [name]: value } } : { [name]: value };

/** The record with that body's changes, as it is shown until the API has answered. */
export function changed<R extends object>(record: R, body: object): R {
  const { custom_fields, ...others } = body as Customized;
  const custom = custom_fields && {
    custom_fields: { ...(record as Customized).custom_fields, ...custom_fields },
  };
  return { ...record, ...others, ...custom };
}

/** What is typed, as the API takes it; null for nothing. */
export function typedValue({ type }: Field, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (type === 'number') return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
  if (type === 'boolean') return trimmed === 'true';
  return trimmed;
}

/** A value as it stands in the field where it is changed. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
