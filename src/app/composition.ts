import type { AnyAggregate } from '#event-store/aggregate.js';
import { type Projection, rowsProjection } from '#event-store/projection.js';
import type { Upcasters } from '#event-store/upcast.js';
import { analytics } from '../analytics/projections/analytics.projection.js';
import { auditedBy } from '../audit/audit-record.js';
import { auditLog } from '../audit/audit.projection.js';
import { bounces } from '../conversations/bounces/bounces.projection.js';
import { conversation, conversationFields } from '../conversations/conversations.contract.js';
import { conversations } from '../conversations/conversations.projection.js';
import { CONVERSATIONS_SEARCH } from '../conversations/conversations-search.queries.js';
import {
  type Company,
  company,
  COMPANY_FIELDS,
  contact,
  type Contact,
  CONTACT_FIELDS,
  OTHERS_FIELDS,
} from '../crm/crm.contract.js';
import { companies, contacts } from '../crm/crm.projection.js';
import { CRM_SEARCH } from '../crm/crm.search.js';
import { draft, type Draft, DRAFT_DEFAULTS, draftFields } from '../drafts/drafts.contract.js';
import { drafts } from '../drafts/drafts.projection.js';
import { DRAFTS_SEARCH } from '../drafts/drafts.search.js';
import type { ReadModel } from '../read-models/read-models.contract.js';
import { notices } from '../drafts/notices/notices.projection.js';
import { comments } from '../comments/comments.projection.js';
import { COMMENTS_SEARCH } from '../comments/comments.search.js';
import { files } from '../files/files.projection.js';
import { sale, shownSale } from '../sales/sales.contract.js';
import { sales } from '../sales/sales.projection.js';
import { SALES_SEARCH } from '../sales/sales.search.js';
import type { SearchSource } from '../search/search.contract.js';
import { searchProjection } from '../search/search.projection.js';
import { suppressions } from '../suppressions/suppressions.projection.js';
import { type Task, task, TASK_FIELDS } from '../tasks/tasks.contract.js';
import { tasks } from '../tasks/tasks.projection.js';
import { tag, type Tag, TAG_FIELDS, tags } from '../tags/tags.contract.js';
import {
  evolveSetting,
  inOrderOfNames,
  type Setting,
  type SettingEvent,
  settings,
} from '../workspace/workspace.contract.js';
import { type Template, template, TEMPLATE_FIELDS } from '../templates/templates.contract.js';
import { templates } from '../templates/templates.projection.js';
import { TASKS_SEARCH } from '../tasks/tasks.search.js';

// What the contexts contribute to shared machinery, in one place for the service, the command line and the tests.

/** Aggregates whose rows are written in the transaction of their events. */
export const AGGREGATES: AnyAggregate[] = [
  contacts,
  companies,
  conversations,
  bounces,
  comments,
  drafts,
  files,
  notices,
  sales,
  settings,
  suppressions,
  tags,
  tasks,
  templates,
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
      defaults: DRAFT_DEFAULTS,
      reasons: { DraftSent: 'promoted' },
    },
    { streamType: 'sale', recordType: () => 'sale', evolve: sale.evolve, fields: shownSale },
    {
      streamType: settings.streamType,
      evolve: evolveSetting,
      recordType: (_: unknown, { data }: SettingEvent) => data.record_type,
      fields: ({ fields }: Setting) => inOrderOfNames(fields),
      before: ({ data }: SettingEvent) => data.before && inOrderOfNames(data.before),
    },
    auditedBy<Contact>('contact', contact.evolve, [...CONTACT_FIELDS, ...OTHERS_FIELDS, 'tags']),
    auditedBy<Company>('company', company.evolve, [...COMPANY_FIELDS, 'tags']),
    auditedBy<Task>('task', task.evolve, TASK_FIELDS),
    auditedBy<Tag>('tag', tag.evolve, TAG_FIELDS),
    auditedBy<Template>('template', template.evolve, TEMPLATE_FIELDS),
  ],
  UPCASTERS,
);

/** What search finds: each context says what its records are found by. */
export const SEARCH_SOURCES: SearchSource[] = [
  ...CRM_SEARCH,
  CONVERSATIONS_SEARCH,
  DRAFTS_SEARCH,
  SALES_SEARCH,
  TASKS_SEARCH,
  COMMENTS_SEARCH,
];

/** Read models made from the feed afterwards. */
const PROJECTIONS: Projection[] = [analytics, searchProjection(SEARCH_SOURCES, UPCASTERS)];

/** All read models for operators: each with its projection, and whether it is written with the events or after them. */
export const READ_MODELS: ReadModel[] = [
  ...AGGREGATES.map((aggregate) => ({ projection: rowsProjection(aggregate), kind: 'inline' as const })),
  { projection: AUDIT_LOG.projection, kind: 'inline' },
  ...PROJECTIONS.map((projection) => ({ projection, kind: 'async' as const })),
];
