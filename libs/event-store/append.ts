import type { Context, EventMeta, StoredEvent } from '#kernel/context.js';
import type { DomainEvent } from '#kernel/decider.js';
import { newId } from '#kernel/id.js';
import type { Statement } from '#database/statements/statement.js';
import { type Aggregate, type AnyAggregate, fold, statementsFor } from './aggregate.js';
import type { Change, Versioned } from './change.js';
import { groupBy } from './group-by.js';
import { recordedAt } from './lines.js';
import type { Required } from './required.js';
import { isUpsert, onNode, passingThrough } from './rows.js';
import { currentSchemaVersion, type Upcasters } from './upcast.js';

/**
 * Events to append to one stream, with the state and version they were decided on. Without events only the version is
 * checked. `requires` names records that must be there, and stay until the append is committed.
 */
export interface Append {
  aggregate: AnyAggregate;
  id: string;
  state: object | null;
  version: number;
  events: DomainEvent[];
  requires: Required[];
}

/** Makes an `Append`; the compiler checks that its parts belong together. */
export const appendTo = <State extends object, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  id: string,
  { state, version }: Versioned<State>,
  events: Event[],
  requires: Required[] = [],
): Append => ({ aggregate, id, state, version, events, requires });

/** The state of a stream that does not exist yet. */
export const NEW = { state: null, version: 0 } as const;

/** The appends of one caller. */
export interface Request {
  context: Context;
  appends: Append[];
}

/** Gives what to write with an organization's changes beside the rows of their aggregates, in the same transaction. */
export type Alongside = (organizationId: string, changes: Change[]) => Statement[];

/** The statements for some requests of one organization in one transaction, and the changes of each request. */
export interface Plan {
  statements: Statement[];
  changes: Change[][];
}

/** Plans appends. With `wait: false` they are refused when another transaction holds one of the streams. */
export type PlanAppends = (requests: Request[], options: { wait: boolean }) => Plan;

/** Plans appends: `es_append` first, then the rows that follow, then what goes `alongside`. See `PlanAppends`. */
export function planAppends(
  requests: Request[],
  {
    upcasters,
    alongside,
    isDistributed,
  }: { upcasters: Upcasters; alongside: Alongside; isDistributed: boolean },
  { wait }: { wait: boolean },
): Plan {
  const { organizationId } = requests[0]!.context;
  const changes = requests.map((request) => changesOf(request, upcasters));
  const all = changes.flat();
  const appends = requests.flatMap((request) => request.appends);
  const streams = appends.map(({ id, version: expected, requires }) => ({
    id,
    expected,
    // Left out when empty, as it mostly is.
    requires: requires.length === 0 ? undefined : requires.map((one) => one.id),
  }));
  const values = [JSON.stringify(streams), JSON.stringify(all.flatMap(recorded)), wait];
  const groups = groupBy(all, (_, index) => appends[index]!.aggregate);
  const rows = groups.flatMap(([aggregate, group]) =>
    guarded(aggregate, statementsFor(aggregate, organizationId, group)),
  );
  const others = alongside(organizationId, all);
  const statements = isDistributed
    ? [appendAlone(organizationId, values), ...[...rows, ...others].map(forCluster)]
    : [...appendThenWrite(organizationId, values, rows), ...others];
  return { statements, changes };
}

/** A change's events as they are stored: the last one says so where no record is left. */
const recorded = ({ events, state }: Change): object[] =>
  state === null && events.length > 0 ? [...events.slice(0, -1), { ...events.at(-1), ends: true }] : events;

/**
 * Plans appends to streams of several organizations, which lock all streams before the transaction id is drawn, as the feed needs
 * it. Only `es_append` of all organizations does that: on a cluster it asks every node, so it is for what is rare.
 */
export function planAcross(
  requests: Request[],
  { upcasters, alongside }: { upcasters: Upcasters; alongside: Alongside },
): Statement[] {
  const plans = requests.map((request) => ({ ...request, changes: changesOf(request, upcasters) }));
  const streams = plans.flatMap(({ context: { organizationId: organization_id }, appends }) =>
    appends.map(({ id, version: expected }) => ({ organization_id, id, expected })),
  );
  const events = plans.flatMap(({ changes }) => changes.flatMap((change) => change.events));
  const append = {
    text: 'SELECT es_append($1::jsonb, $2::jsonb, NULL, true)',
    values: [JSON.stringify(streams), JSON.stringify(events)],
  };
  const rows = plans.flatMap(({ context: { organizationId }, appends, changes }) => [
    ...groupBy(changes, (_, index) => appends[index]!.aggregate).flatMap(([aggregate, group]) =>
      guarded(aggregate, statementsFor(aggregate, organizationId, group)),
    ),
    ...alongside(organizationId, changes),
  ]);
  return [append, ...rows];
}

const guarded = ({ guard, row }: AnyAggregate, statements: Statement[]): Statement[] =>
  guard === undefined
    ? statements
    : statements.map((statement) =>
        isUpsert(statement) && statement.table === row.table ? passingThrough(guard, statement) : statement,
      );

/**
 * The append, then the rows. The rows of the first upsert pass through es_append, which returns them when it is done. So
 * both are one statement, which for most appends is the whole transaction.
 */
function appendThenWrite(
  organizationId: string,
  values: unknown[],
  [first, ...rest]: Statement[],
): Statement[] {
  if (first && isUpsert(first)) {
    const text = first.textWith('es_append($1, $3, $4, $2, $5)');
    return [{ name: `append_${first.name}`, text, values: [...first.values, ...values] }, ...rest];
  }
  const append = appendAlone(organizationId, values);
  return first ? [append, first, ...rest] : [append];
}

const appendAlone = (organizationId: string, values: unknown[]): Statement => ({
  name: 'es_append',
  text: 'SELECT es_append($1, $2, $3, NULL, $4)',
  values: [organizationId, ...values],
});

/** What passes through a function of ours is run by the coordinator, which alone knows what the function reads. */
const forCluster = (statement: Statement): Statement =>
  isUpsert(statement) && !statement.passesThrough ? onNode(statement) : statement;

function changesOf({ context, appends }: Request, upcasters: Upcasters): Change[] {
  const common = {
    organization_id: context.organizationId,
    meta: metaOf(context),
    occurred_at: recordedAt(context.organizationId),
  };
  return appends.map((append) => changeOf(append, common, upcasters));
}

type Common = Pick<StoredEvent, 'organization_id' | 'meta' | 'occurred_at'>;

function changeOf(
  { aggregate, id, state, version, events }: Append,
  common: Common,
  upcasters: Upcasters,
): Change {
  const stored = events.map(({ type, data }, index): StoredEvent => ({
    stream_id: id,
    stream_type: aggregate.streamType,
    version: version + index + 1,
    // Drawn by the database, so unknown before the change is stored.
    tx: '',
    position: '',
    event_id: newId('event'),
    type,
    schema_version: currentSchemaVersion(upcasters, type),
    data,
    ...common,
  }));
  return {
    organizationId: common.organization_id,
    streamId: id,
    version: version + events.length,
    before: state,
    state: fold(aggregate, stored, state),
    events: stored,
  };
}

const metaOf = ({ actor, requestId, traceparent, keyId }: Context): EventMeta => ({
  actor,
  request_id: requestId,
  traceparent,
  ...(keyId !== undefined && { key_id: keyId }),
});
