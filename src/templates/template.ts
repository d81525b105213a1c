import { type Decider, RuleViolation } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';
import { nameKey } from '#kernel/name-key.js';

export const TEMPLATE_MODALITIES = ['email', 'text'] as const;

/** A mail or text with places for what differs from recipient to recipient. */
export interface Template {
  template_id: string;
  name: string;
  modality: (typeof TEMPLATE_MODALITIES)[number];
  /** Null for a text, and for a mail whose draft names its own. */
  subject: string | null;
  /** Sanitised HTML. */
  body_html: string;
  created_at: Instant;
  /** By which it is listed (`nameKey`). */
  name_key: string;
}

/** The fields that are shown, in their order. */
export const TEMPLATE_FIELDS = [
  'template_id',
  'name',
  'modality',
  'subject',
  'body_html',
  'created_at',
] as const;

type Told = Pick<Template, (typeof TEMPLATE_FIELDS)[number]>;
/** Fields left out stay as they are. */
export type TemplateChanges = Partial<Pick<Template, 'name' | 'modality' | 'subject' | 'body_html'>>;

export type TemplateEvent =
  | { type: 'TemplateCreated'; data: Told }
  | { type: 'TemplateChanged'; data: TemplateChanges }
  | { type: 'TemplateDeleted'; data: object };

export type TemplateCommand =
  | ({ type: 'CreateTemplate' } & Told)
  | { type: 'ChangeTemplate'; changes: TemplateChanges }
  | { type: 'DeleteTemplate' };

export const template: Decider<Template, TemplateCommand, TemplateEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'CreateTemplate': {
        const { type: _, ...data } = command;
        requireNoSubjectOfText(data);
        return [{ type: 'TemplateCreated', data }];
      }
      case 'ChangeTemplate': {
        if (!state) return [];
        requireNoSubjectOfText({ ...state, ...command.changes });
        const changed = Object.entries(command.changes).filter(
          ([field, value]) => value !== state[field as keyof TemplateChanges],
        );
        return changed.length > 0 ? [{ type: 'TemplateChanged', data: Object.fromEntries(changed) }] : [];
      }
      case 'DeleteTemplate':
        return state ? [{ type: 'TemplateDeleted', data: {} }] : [];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TemplateCreated':
        return withKey(event.data);
      case 'TemplateChanged':
        return state && withKey({ ...state, ...event.data });
      case 'TemplateDeleted':
        return null;
    }
  },
};

const withKey = (told: Told): Template => ({ ...told, name_key: nameKey(told.name) });

function requireNoSubjectOfText({ modality, subject }: Pick<Template, 'modality' | 'subject'>): void {
  if (modality === 'text' && subject !== null)
    throw new RuleViolation(
      'validation_failed',
      'must be left out or null: a text has no subject',
      'subject',
    );
}
