import { keyOf, type StoredEvent } from '#kernel/context.js';
import { sameIdAs } from '#kernel/id.js';
import { sameValue } from '#kernel/same.js';

/** What the list shows to those who do not name record types. */
export const USUAL_RECORD_TYPES = ['sale', 'conversation', 'message_draft', 'response_draft'] as const;
export const RECORD_TYPES = [
  ...USUAL_RECORD_TYPES,
  'contact',
  'company',
  'task',
  'api_key',
  'channel',
  'pipeline',
  'custom_field',
  'webhook',
  'tag',
  'template',
  'agent',
] as const;
export const ACTION_TYPES = ['insert', 'update', 'delete'] as const;
/** Why a record is gone, where it was not deleted: a draft was delivered, and is a message now. */
export const REASONS = ['promoted'] as const;

export type RecordType = (typeof RECORD_TYPES)[number];

/**
 * How one kind of stream appears in the audit log: its fold, and the documented fields of a state before or after an event
 * (null: no such record any more).
 */
export interface Audited {
  streamType: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each kind has its own state; the log only passes it on
  evolve(state: any, event: any): any;
  /** The record type for a state. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see evolve
  recordType(state: any, event: any): RecordType;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see evolve
  fields(state: any, event: any): Record<string, unknown> | null;
  /** The fields before an event, where it tells them itself. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see evolve
  before?: (event: any) => Record<string, unknown> | null;
  /** Fields that are not told of a record that comes or goes with these values. */
  defaults?: Readonly<Record<string, unknown>>;
  /** The events after which the record is gone for another reason than that it was deleted. */
  reasons?: Readonly<Record<string, (typeof REASONS)[number]>>;
}

/** The `Audited` of a record that shows these fields of its state: a field that is added to them is audited, too. */
export const auditedBy = <State extends object>(
  recordType: RecordType,
  evolve: Audited['evolve'],
  fields: readonly (keyof State & string)[],
): Audited => ({
  streamType: recordType,
  evolve,
  recordType: () => recordType,
  fields: (state: State) => Object.fromEntries(fields.map((field) => [field, state[field]])),
});

export interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

/** A row of the audit log. */
export interface AuditRecord {
  organization_id: string;
  audit_log_id: string;
  occurred_at: string;
  agent_id: string | null;
  action_type: (typeof ACTION_TYPES)[number];
  record_type: string;
  record_id: string;
  changes: Change[];
  /** Those that changed. */
  fields: string[];
  actor: { type: string; id: string | null };
  actor_type: string;
  key_id: string | null;
  request_id: string | null;
  event_id: string;
  reason: string | null;
}

/** Gives the state after an event, and the event's audit record: null when no documented field changed. */
export function audit(
  audited: Audited,
  before: unknown,
  event: StoredEvent,
): { state: unknown; record: AuditRecord | null } {
  const state: unknown = audited.evolve(before, event);
  const from = audited.before ? audited.before(event) : before == null ? null : audited.fields(before, event);
  const to = state == null ? null : audited.fields(state, event);
  const changes = changesBetween(from, to, from && to ? {} : audited.defaults);
  if (changes.length === 0) return { state, record: null };
  const { actor, request_id } = event.meta;
  const action_type = from === null ? 'insert' : to === null ? 'delete' : 'update';
  return {
    state,
    record: {
      organization_id: event.organization_id,
      audit_log_id: sameIdAs('audit', event.event_id),
      occurred_at: event.occurred_at,
      agent_id: actor.type === 'agent' ? actor.id : null,
      action_type,
      record_type: audited.recordType(state ?? before, event),
      record_id: event.stream_id,
      changes,
      fields: changes.map(({ field }) => field),
      actor,
      actor_type: actor.type,
      key_id: keyOf(event.meta),
      request_id,
      event_id: event.event_id,
      reason: action_type === 'delete' ? (audited.reasons?.[event.type] ?? null) : null,
    },
  };
}

function changesBetween(
  from: Record<string, unknown> | null,
  to: Record<string, unknown> | null,
  defaults: Audited['defaults'] = {},
): Change[] {
  const fields = [...new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])];
  return fields
    .map((field) => ({ field, from: from?.[field] ?? null, to: to?.[field] ?? null }))
    .filter((change) => !sameValue(change.from, change.to))
    .filter(({ field, from, to }) => !(field in defaults && sameValue(from ?? to, defaults[field])));
}
