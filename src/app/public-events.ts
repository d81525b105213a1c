import { commentEvents } from '../comments/comments.events.js';
import { bounceEvents, conversationEvents } from '../conversations/conversations.events.js';
import { companyEvents, contactEvents } from '../crm/crm.events.js';
import { saleEvents } from '../sales/sales.events.js';
import { suppressionEvents } from '../suppressions/suppressions.events.js';
import { tagEvents } from '../tags/tags.contract.js';
import { taskEvents } from '../tasks/tasks.events.js';
import { templateEvents } from '../templates/templates.events.js';
import { draftEvents, reviewEvents } from '../drafts/drafts.events.js';
import { fileEvents } from '../files/files.events.js';
import { settings } from '../workspace/workspace.contract.js';
import { PublicEvents } from '../events/events.contract.js';

/** The public forms of events. An event type without one is not shown in the feed; what operators set up is in the audit log only. */
export const PUBLIC_EVENTS = new PublicEvents(
  [
    contactEvents,
    companyEvents,
    conversationEvents,
    bounceEvents,
    commentEvents,
    draftEvents,
    fileEvents,
    reviewEvents,
    saleEvents,
    suppressionEvents,
    tagEvents,
    taskEvents,
    templateEvents,
  ],
  [settings.streamType],
);
