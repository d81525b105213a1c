import { AppendByOrganization1700001500000 } from '#event-store/append-by-organization.migration.js';
import { AppendChecks1795790600000 } from '#event-store/append-checks.migration.js';
import { Cluster1795785000000 } from '#event-store/cluster.migration.js';
import { StreamsThatEnd1795651900000 } from '#event-store/streams-that-end.migration.js';
import { PendingRebuilds1795629500000 } from '#event-store/pending-rebuilds.migration.js';
import { PendingIndexes1795629550000 } from '#database/pending-indexes.migration.js';
import { EventStore1700000000000 } from '#event-store/event-store.migration.js';
import { WritePosition1795780000000 } from '#database/replicas/write-position.migration.js';
import { Idempotency1700000090000 } from '#http/idempotency/idempotency.migration.js';
import { Analytics1700000900000 } from '../analytics/analytics.migration.js';
import { AuditFilters1795652500000 } from '../audit/audit-filters.migration.js';
import { AuditWritten1795790500000 } from '../audit/audit-written.migration.js';
import { Audit1700000500000 } from '../audit/audit.migration.js';
import { Comments1795730000000 } from '../comments/comments.migration.js';
import { ConversationSummary1795640000000 } from '../conversations/conversation-summary.migration.js';
import { Conversations1700000300000 } from '../conversations/conversations.migration.js';
import { MessageAuthors1795629600000 } from '../conversations/message-authors.migration.js';
import { TextAddresses1700001200000 } from '../conversations/text-addresses.migration.js';
import { AddressKeys1700001300000 } from '../crm/address-keys.migration.js';
import { Crm1700000200000 } from '../crm/crm.migration.js';
import { CancelOnReply1795630200000 } from '../drafts/cancel-on-reply.migration.js';
import { ConversationLists1795651300000 } from '../conversations/conversation-lists.migration.js';
import { CrmLists1795651200000 } from '../crm/crm-lists.migration.js';
import { DraftLists1795651600000 } from '../drafts/draft-lists.migration.js';
import { CrmReferences1795652000000 } from '../crm/crm-references.migration.js';
import { SaleFace1795652200000 } from '../sales/sale-face.migration.js';
import { TaskReferences1795652100000 } from '../tasks/task-references.migration.js';
import { CrmUpdates1795654000000 } from '../crm/crm-updates.migration.js';
import { TaskUpdates1795654100000 } from '../tasks/task-updates.migration.js';
import { SaleUpdates1795654200000 } from '../sales/sale-updates.migration.js';
import { ConversationStatus1795710000000 } from '../conversations/conversation-status.migration.js';
import { MessageTexts1795750000000 } from '../conversations/message-texts.migration.js';
import { ConversationUpdates1795654300000 } from '../conversations/conversation-updates.migration.js';
import { CloseAfterSend1795710100000 } from '../drafts/close-after-send.migration.js';
import { DraftUpdates1795654400000 } from '../drafts/draft-updates.migration.js';
import { CrmOthers1795790700000 } from '../crm/crm-others.migration.js';
import { CrmMergers1795655000000 } from '../crm/crm-mergers.migration.js';
import { ConversationMergers1795655100000 } from '../conversations/conversation-mergers.migration.js';
import { ConversationDrafts1795700000000 } from '../drafts/conversation-drafts.migration.js';
import { AgentUpdates1795655200000 } from '../workspace/agent-updates.migration.js';
import { ConsoleSession1795770000000 } from '../console/session/session.migration.js';
import { SaleLists1795651400000 } from '../sales/sale-lists.migration.js';
import { TaskLists1795651500000 } from '../tasks/task-lists.migration.js';
import { DraftRecipients1700001100000 } from '../drafts/draft-recipients.migration.js';
import { Drafts1700000400000 } from '../drafts/drafts.migration.js';
import { DraftAudit1795790400000 } from '../drafts/draft-audit.migration.js';
import { RecipientKeys1795790100000 } from '../drafts/recipient-keys.migration.js';
import { WithoutSignature1795740100000 } from '../drafts/without-signature.migration.js';
import { Files1795642000000 } from '../files/files.migration.js';
import { Sales1700000600000 } from '../sales/sales.migration.js';
import { StagesByOrganization1700001600000 } from '../sales/stages-by-organization.migration.js';
import { Folding1795790800000 } from '../search/folding.migration.js';
import { SearchNumbers1795790000000 } from '../search/search-numbers.migration.js';
import { Search1795651800000 } from '../search/search.migration.js';
import { Suppressions1795634400000 } from '../suppressions/suppressions.migration.js';
import { Tags1795720000000 } from '../tags/tags.migration.js';
import { Tasks1700000700000 } from '../tasks/tasks.migration.js';
import { Templates1795740000000 } from '../templates/templates.migration.js';
import { Webhooks1700001000000 } from '../webhooks/webhooks.migration.js';
import { WebhookVersions1795790300000 } from '../webhooks/webhook-versions.migration.js';
import { WorkspaceVersions1795790200000 } from '../workspace/workspace-versions.migration.js';
import { ChannelAddresses1700001400000 } from '../workspace/channel-addresses.migration.js';
import { Signatures1795740200000 } from '../workspace/signatures.migration.js';
import { WORKSPACE_ENTITIES } from '../workspace/workspace.entities.js';
import { Settings1795652600000 } from '../workspace/settings/settings.migration.js';
import { Workspace1700000100000 } from '../workspace/workspace.migration.js';

/** Tables that TypeORM maps: the configuration. Everything else is rows of read models. */
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
  AppendByOrganization1700001500000,
  StagesByOrganization1700001600000,
  PendingRebuilds1795629500000,
  PendingIndexes1795629550000,
  MessageAuthors1795629600000,
  CancelOnReply1795630200000,
  Suppressions1795634400000,
  ConversationSummary1795640000000,
  Files1795642000000,
  CrmLists1795651200000,
  ConversationLists1795651300000,
  SaleLists1795651400000,
  TaskLists1795651500000,
  DraftLists1795651600000,
  Search1795651800000,
  StreamsThatEnd1795651900000,
  CrmReferences1795652000000,
  TaskReferences1795652100000,
  SaleFace1795652200000,
  AuditFilters1795652500000,
  Settings1795652600000,
  CrmUpdates1795654000000,
  TaskUpdates1795654100000,
  SaleUpdates1795654200000,
  ConversationUpdates1795654300000,
  DraftUpdates1795654400000,
  CrmMergers1795655000000,
  ConversationMergers1795655100000,
  AgentUpdates1795655200000,
  ConversationDrafts1795700000000,
  ConversationStatus1795710000000,
  CloseAfterSend1795710100000,
  Tags1795720000000,
  Comments1795730000000,
  Templates1795740000000,
  WithoutSignature1795740100000,
  Signatures1795740200000,
  MessageTexts1795750000000,
  ConsoleSession1795770000000,
  WritePosition1795780000000,
  Cluster1795785000000,
  SearchNumbers1795790000000,
  RecipientKeys1795790100000,
  WorkspaceVersions1795790200000,
  WebhookVersions1795790300000,
  DraftAudit1795790400000,
  AuditWritten1795790500000,
  AppendChecks1795790600000,
  CrmOthers1795790700000,
  Folding1795790800000,
];
