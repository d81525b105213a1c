import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { actingAgent, type Context } from '#kernel/context.js';
import { RuleViolation } from '#kernel/decider.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import type { Change } from '#event-store/change.js';
import { appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { sanitizeHtml } from '#http/input/sanitize-html.js';
import { CrmQueries, emailKey, matchKeysOf } from '../crm/crm.contract.js';
import { DraftFiles, type FilesOfDraft, requireFit } from '../files/files.contract.js';
import { DeliveryQueue } from './delivery/delivery.queue.js';
import { draft, type Draft } from './draft.js';
import type { DraftContent } from './draft-content.js';
import type { CreateMessageDraftBody, SavedMessageDraftResponse } from './drafts.dto.js';
import { drafts } from './drafts.projection.js';
import { sizeOfImages } from './content/inline-images.js';
import { normalizedFolder } from './content/folder.js';
import { sendAtOf } from './send-at.js';
import { QueueingPolicy, requireMail, wantsAutosend } from './send-policy.js';
import { ReviewRequests } from './notices/review-requests.js';
import { savedMessage } from './shown-draft.js';
import { Templated } from './templated.js';

/** Drafts a first message to somebody, and queues it with `autosend_draft`. The channel must be set up even without that. */
export class CreateMessageDraft extends Command<SavedMessageDraftResponse> {
  constructor(
    readonly context: Context,
    readonly body: CreateMessageDraftBody,
  ) {
    super();
  }
}

@CommandHandler(CreateMessageDraft)
export class CreateMessageDraftHandler implements ICommandHandler<CreateMessageDraft> {
  constructor(
    private readonly store: EventStore,
    private readonly queueing: QueueingPolicy,
    private readonly deliveries: DeliveryQueue,
    private readonly reviews: ReviewRequests,
    private readonly files: DraftFiles,
    private readonly templated: Templated,
    private readonly crm: CrmQueries,
  ) {}

  async execute({ context, body: asked }: CreateMessageDraft): Promise<SavedMessageDraftResponse> {
    const { organizationId } = context;
    const created_at = now();
    const body = await this.templated.firstMessage(context, asked);
    const autosend = wantsAutosend(body);
    const sendAt = sendAtOf(body, autosend);
    const content = await contentOf(body, actingAgent(context));
    requireMail(body.modality, body.file_ids ?? []);
    await this.queueing.requireChannel(organizationId, body.modality);
    const queued = autosend
      ? await this.queueing.accept(organizationId, body.modality, { kind: 'message', ...content }, sendAt)
      : null;
    const review = await this.reviews.prepare(organizationId, content, queued);
    const recipient_key = await this.recipientKey(organizationId, body);
    const draft_id = newId('draft');
    const save = ({ files, appends }: FilesOfDraft) => {
      requireFit(files, sizeOfImages(content.body_html));
      const events = draft.decide(null, {
        type: 'DraftMessage',
        draft_id,
        created_at,
        modality: body.modality,
        folder: normalizedFolder(body.folder ?? ''),
        recipient_key,
        ...content,
        files,
        queued,
      });
      return [
        appendTo(drafts, draft_id, NEW, events),
        ...appends,
        ...review({ draft_id, conversation_id: null, draft_version: events.length }),
      ];
    };
    const ids = body.file_ids ?? [];
    const [created] =
      ids.length === 0
        ? await this.store.append(context, save({ files: [], appends: [] }))
        : await this.store.exclusively(organizationId, [], async (tx) =>
            this.store.appendIn(
              tx,
              context,
              save(await this.files.give(tx, organizationId, draft_id, [], ids)),
            ),
          );
    if (autosend) this.deliveries.wake(organizationId);
    return savedMessage(created as Change<Draft>);
  }

  /** Of the address that a mail goes to, or of the number that a text goes to. */
  private async recipientKey(
    organizationId: string,
    { modality, to_email, to_phone_number }: CreateMessageDraftBody,
  ): Promise<string | null> {
    const keys =
      modality === 'email'
        ? { email_key: emailKey(to_email ?? ''), phone_key: null }
        : { email_key: null, phone_key: await this.crm.phoneKey(organizationId, to_phone_number ?? '') };
    return matchKeysOf(keys)[0] ?? null;
  }
}

/** Throws `RuleViolation` for a draft that says nothing. */
async function contentOf(body: CreateMessageDraftBody, agent_id: string | null): Promise<DraftContent> {
  const body_html = (await sanitizeHtml(body.body_html ?? '')) || null;
  if (!body.subject && !body_html)
    throw new RuleViolation(
      'validation_failed',
      'at least one of subject and body_html must be given',
      'subject',
    );
  return {
    subject: body.subject || null,
    body_html,
    cc_emails: body.cc_emails ?? [],
    bcc_emails: body.bcc_emails ?? [],
    recipient_name: body.to_user_name || null,
    recipient_email: body.to_email || null,
    recipient_phone_number: body.to_phone_number || null,
    agent_id,
    add_notification: body.add_notification ?? true,
    without_signature: body.without_signature ?? false,
  };
}
