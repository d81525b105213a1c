import type { AnyAggregate } from '#event-store/aggregate.js';
import { EventStore1700000000000 } from '#event-store/event-store.migration.js';
import { type Projection, rowsProjection } from '#event-store/projection.js';
import type { Kind } from '#event-store/rebuild.js';
import type { Upcasters } from '#event-store/upcast.js';
import { Idempotency1700000090000 } from '#http/idempotency.migration.js';
import { Analytics1700000900000 } from './analytics/analytics.migration.js';
import { analytics } from './analytics/analytics.projection.js';
import { auditLog } from './audit/audit.projection.js';
import { Audit1700000500000 } from './audit/audit.migration.js';
import { conversation, conversationFields } from './conversations/conversations.contract.js';
import { bounceEvents, conversationEvents } from './conversations/conversations.events.js';
import { Conversations1700000300000 } from './conversations/conversations.migration.js';
import { TextAddresses1700001200000 } from './conversations/text-addresses.migration.js';
import { bounces, conversations } from './conversations/conversations.projection.js';
import { AddressKeys1700001300000 } from './crm/address-keys.migration.js';
import { Crm1700000200000 } from './crm/crm.migration.js';
import { companyEvents, contactEvents } from './crm/crm.events.js';
import { companies, contacts } from './crm/crm.projection.js';
import { draft, type Draft, draftFields } from './drafts/drafts.contract.js';
import { DraftRecipients1700001100000 } from './drafts/draft-recipients.migration.js';
import { Drafts1700000400000 } from './drafts/drafts.migration.js';
import { drafts } from './drafts/drafts.projection.js';
import { reviewNotices } from './drafts/notices.projection.js';
import { Sales1700000600000 } from './sales/sales.migration.js';
import { sale, shownSale } from './sales/sales.contract.js';
import { saleEvents } from './sales/sales.events.js';
import { sales } from './sales/sales.projection.js';
import { Tasks1700000700000 } from './tasks/tasks.migration.js';
import { taskEvents } from './tasks/tasks.events.js';
import { tasks } from './tasks/tasks.projection.js';
import { draftEvents, reviewEvents } from './drafts/drafts.events.js';
import { PublicEvents } from './events/events.contract.js';
import { Webhooks1700001000000 } from './webhooks/webhooks.migration.js';
import { ChannelAddresses1700001400000 } from './workspace/channel-addresses.migration.js';
import { WORKSPACE_ENTITIES } from './workspace/workspace.entities.js';
import { Workspace1700000100000 } from './workspace/workspace.migration.js';

// What the contexts contribute to shared machinery, in one place for the service, the command line and the tests.

export const ENTITIES = WORKSPACE_ENTITIES;

export const MIGRATIONS = [
  EventStore1700000000000,
  Idempotency1700000090000,
  Workspace1700000100000,
  Crm1700000200000,
  Conversations1700000300000,
  Drafts1700000400000,
  Audit1700000500000,
  Sales1700000600000,
  Tasks1700000700000,
  Analytics1700000900000,
  Webhooks1700001000000,
  DraftRecipients1700001100000,
  TextAddresses1700001200000,
  AddressKeys1700001300000,
  ChannelAddresses1700001400000,
];

/** Aggregates whose rows are written in the transaction of their events. */
const AGGREGATES: AnyAggregate[] = [
  contacts,
  companies,
  conversations,
  bounces,
  drafts,
  reviewNotices,
  sales,
  tasks,
];

export const UPCASTERS: Upcasters = {};

/** The audit log, also written in the transaction of the events. */
export const AUDIT_LOG = auditLog(
  [
    {
      streamType: 'conversation',
      recordType: () => 'conversation',
      evolve: conversation.evolve,
      fields: conversationFields,
    },
    {
      streamType: 'draft',
      recordType: ({ kind }: Draft) => `${kind}_draft` as const,
      evolve: draft.evolve,
      fields: draftFields,
    },
    { streamType: 'sale', recordType: () => 'sale', evolve: sale.evolve, fields: shownSale },
  ],
  UPCASTERS,
);

/** Read models made from the feed afterwards. */
export const PROJECTIONS: Projection[] = [analytics];

/** The public forms of events. An event type without one is not shown in the feed. */
export const PUBLIC_EVENTS = new PublicEvents([
  contactEvents,
  companyEvents,
  conversationEvents,
  bounceEvents,
  draftEvents,
  reviewEvents,
  saleEvents,
  taskEvents,
]);

/** All read models for operators: each with its projection, and whether it is written with the events or after them. */
export const READ_MODELS: { projection: Projection; kind: Kind }[] = [
  ...AGGREGATES.map((aggregate) => ({ projection: rowsProjection(aggregate), kind: 'inline' as const })),
  { projection: AUDIT_LOG.projection, kind: 'inline' },
  ...PROJECTIONS.map((projection) => ({ projection, kind: 'async' as const })),
];
