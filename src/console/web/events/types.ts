import type { FeedEvent } from '../data/api.js';

type EventType = FeedEvent['type'];

/** All types of events, by the kinds of records that they are of. */
export const TYPES = {
  contact: [
    'ContactCreated',
    'ContactIdentityChanged',
    'ContactEmploymentChanged',
    'ContactCustomFieldsChanged',
    'ContactTagsChanged',
    'ContactReferenceChanged',
    'ContactMerged',
    'ContactDeleted',
  ],
  company: [
    'CompanyCreated',
    'CompanyDetailsChanged',
    'CompanyAssigned',
    'CompanyCustomFieldsChanged',
    'CompanyTagsChanged',
    'CompanyReferenceChanged',
    'CompanyMerged',
    'CompanyDeleted',
  ],
  conversation: [
    'ConversationOpened',
    'MessageRecorded',
    'ConversationTriaged',
    'ConversationWoken',
    'ConversationDraftChanged',
    'ConversationTagsChanged',
    'ConversationCommentsCounted',
    'ConversationContactReplaced',
    'ConversationTakenIn',
    'ConversationMerged',
  ],
  draft: [
    'MessageDrafted',
    'ResponseDrafted',
    'DraftOverwritten',
    'DraftQueued',
    'DraftUnscheduled',
    'DraftMoved',
    'DraftDeleted',
    'DraftSent',
    'DeliveryStarted',
    'DeliveryRetryScheduled',
    'DeliveryCompleted',
    'DeliveryFailed',
    'DeliveryBecameUncertain',
  ],
  review_notice: ['ReviewRequested'],
  sale: [
    'SaleOpened',
    'SaleStageChanged',
    'SaleRevised',
    'SaleQuoted',
    'SaleContacted',
    'SaleTagsChanged',
    'SaleDeleted',
  ],
  task: ['TaskCreated', 'TaskRevised', 'TaskCompleted', 'TaskReopened', 'TaskDeleted'],
  comment: ['CommentAdded', 'CommentChanged', 'CommentMoved', 'CommentDeleted'],
  file: ['FileUploaded', 'FileAttached', 'FileDetached', 'FileRemoved'],
  tag: ['TagCreated', 'TagChanged', 'TagDeleted'],
  template: ['TemplateCreated', 'TemplateChanged', 'TemplateDeleted'],
  bounce: ['BounceReceived'],
  suppression: ['SuppressionAdded', 'SuppressionBounced', 'SuppressionBounceLifted', 'SuppressionRemoved'],
} as const satisfies Record<string, readonly EventType[]>;

/** The types that an address names, separated by commas. */
export const typesIn = (named: string | null): string[] => named?.split(',').filter(Boolean) ?? [];
