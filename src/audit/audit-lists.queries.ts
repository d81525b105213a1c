import { ACTOR_TYPES } from '#kernel/context.js';
import type { Database } from '#database/database.js';
import type { Condition, List } from '#http/paging/list.js';
import { ACTION_TYPES, RECORD_TYPES, USUAL_RECORD_TYPES } from './audit-record.js';

/** What a list of audit records is narrowed to; each may be left out. */
export interface AuditFilter {
  organization_id?: string;
  record_types?: readonly string[];
  action_types?: readonly string[];
  actor_types?: readonly string[];
  agent_id?: string;
  key_id?: string;
  record_id?: string;
  request_id?: string;
  field?: string;
}

export const AUDIT_COLUMNS = `organization_id, audit_log_id, occurred_at, agent_id, action_type, record_type, record_id, changes, actor,
  key_id, request_id, event_id, reason`;

const LOG = {
  select: `SELECT ${AUDIT_COLUMNS} FROM audit_log`,
  sort: 'occurred_at',
  id: 'audit_log_id',
};

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');
const set = (words: readonly string[], name: string, column: string) =>
  `unnest(ARRAY[${quoted(words)}]) AS ${name} (${column})`;

const USUAL = `record_type IN (${quoted(USUAL_RECORD_TYPES)})`;

/** Every kind of record, with what can be done to it by whom. A page of each that is asked for is read, by the order of an index. */
const KINDS = [
  set(RECORD_TYPES, 'asked_record', 'type'),
  set(ACTION_TYPES, 'asked_action', 'type'),
  set(ACTOR_TYPES, 'asked_actor', 'type'),
].join(' CROSS JOIN ');
const OF_ACTION = 'record_type = asked_record.type AND action_type = asked_action.type';
const OF_KIND = `${OF_ACTION} AND actor_type = asked_actor.type`;
/** Not by the kind of actor, lest PostgreSQL take the index of kinds for the key's own: only agents and keys use keys. */
const OF_KEYED = `${OF_ACTION} AND (agent_id IS NULL) = (asked_actor.type = 'key')`;

const SET = 'fields, record_type, action_type, actor_type';
const OF_SET = `(${SET}) = (field_set.fields, field_set.record_type, field_set.action_type, field_set.actor_type)`;

/**
 * The sets of fields that have changed together, each with the kind of its records, `among` those of an organization or all: far fewer
 * than records. Each is found by a probe of the index behind the one before.
 */
const fieldSets = (among: string) => `WITH RECURSIVE field_set AS (
  (SELECT ${SET} FROM audit_log WHERE ${among} ORDER BY ${SET} LIMIT 1)
  UNION ALL
  SELECT next.* FROM field_set before, LATERAL
         (SELECT ${SET} FROM audit_log
           WHERE ${among} AND (${SET}) > (before.fields, before.record_type, before.action_type, before.actor_type)
           ORDER BY ${SET} LIMIT 1) next)
  SELECT one.* FROM field_set`;

/** What a page is read by: what few records have, or the kinds, or the fields that changed; in the order of the list all of them. */
type Way = 'newest' | 'few' | 'kinds' | 'fields' | 'agent' | 'key';

const EACH_KIND = `SELECT one.* FROM ${KINDS}`;

/** Of one organization, $1. */
const OF_ORGANIZATION: Record<Way, List> = {
  newest: { ...LOG, name: 'audit_logs', where: USUAL },
  few: { ...LOG, name: 'audit_logs_of_few' },
  kinds: { ...LOG, name: 'audit_logs_by_kind', each: EACH_KIND, where: OF_KIND },
  fields: { ...LOG, name: 'audit_logs_by_field', each: fieldSets('organization_id = $1'), where: OF_SET },
  agent: { ...LOG, name: 'audit_logs_by_agent', each: EACH_KIND, where: OF_ACTION },
  key: { ...LOG, name: 'audit_logs_by_key', each: EACH_KIND, where: OF_KEYED },
};

/** Of an agent's or key's own organizations; $1 is its id. */
const ofOwn = (own: string, where: string): Pick<List, 'each' | 'where'> => ({
  each: `SELECT one.* FROM (${own}) own CROSS JOIN ${KINDS}`,
  where: `organization_id = own.organization_id AND ${where}`,
});

/** Of all organizations. */
const OF_ALL: Record<Way, List> = {
  newest: { ...LOG, name: 'all_audit_logs', where: USUAL },
  few: { ...LOG, name: 'all_audit_logs_of_few' },
  kinds: { ...LOG, name: 'all_audit_logs_by_kind', each: EACH_KIND, where: OF_KIND },
  fields: { ...LOG, name: 'all_audit_logs_by_field', each: fieldSets('true'), where: OF_SET },
  agent: {
    ...LOG,
    ...ofOwn('SELECT organization_id FROM audit_log WHERE agent_id = $1 LIMIT 1', OF_ACTION),
    name: 'all_audit_logs_by_agent',
  },
  key: {
    ...LOG,
    ...ofOwn('SELECT unnest(organization_ids) AS organization_id FROM api_key WHERE key_id = $1', OF_KEYED),
    name: 'all_audit_logs_by_key',
  },
};

/** Actors who use keys, and of those agents. */
const KEYED = ['agent', 'key'];
const AGENT = ['agent'];

/** The list that reads the fewest records for this filter, and its conditions. */
export function auditList(
  filter: AuditFilter,
  { isDistributed }: Pick<Database, 'isDistributed'>,
): { list: List; conditions: Condition[] } {
  const { organization_id, record_id, request_id, field, agent_id, key_id } = filter;
  const lists = organization_id === undefined ? OF_ALL : OF_ORGANIZATION;
  const actors = agent_id !== undefined ? AGENT : key_id !== undefined ? KEYED : ACTOR_TYPES;
  const asked = {
    records: filter.record_types ?? USUAL_RECORD_TYPES,
    actions: filter.action_types ?? ACTION_TYPES,
    actors: filter.actor_types ? actors.filter((type) => filter.actor_types!.includes(type)) : actors,
  };
  const ids: Condition[] = [
    ['organization_id =', organization_id],
    ['agent_id =', agent_id],
    ['key_id =', key_id],
    ['record_id =', record_id],
    ['request_id =', request_id],
  ];
  const kind = (record: string, action: string, actor: string): Condition[] => [
    [`${record} = ANY (?::text[])`, asked.records],
    [`${action} = ANY (?::text[])`, asked.actions],
    [`${actor} = ANY (?::text[])`, asked.actors],
  ];
  const has = (fields: string): Condition => [`jsonb_exists(${fields}, ?)`, field];
  const byKind = [
    ...ids,
    ...kind('asked_record.type', 'asked_action.type', 'asked_actor.type'),
    has('fields'),
  ];

  const isOfFew = record_id !== undefined || request_id !== undefined;
  // A cluster refuses lists of lists over all organizations: there each node reads its own log.
  const isOfNodes = isDistributed && organization_id === undefined;
  const isUsual = !filter.record_types && !filter.action_types && !filter.actor_types;

  if (isUsual && !isOfFew && agent_id === undefined && key_id === undefined && field === undefined)
    return { list: lists.newest, conditions: ids };
  if (isOfFew || isOfNodes)
    return {
      list: lists.few,
      conditions: [...ids, ...kind('record_type', 'action_type', 'actor_type'), has('fields')],
    };
  if (agent_id !== undefined) return { list: lists.agent, conditions: byKind };
  if (key_id !== undefined) return { list: lists.key, conditions: byKind };
  if (field !== undefined)
    return {
      list: lists.fields,
      conditions: [
        ...ids,
        ...kind('field_set.record_type', 'field_set.action_type', 'field_set.actor_type'),
        has('field_set.fields'),
      ],
    };
  return { list: lists.kinds, conditions: byKind };
}
