import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventStore } from '#event-store/event-store.js';
import { oneLine } from '../content/plain-text.js';
import type { Draft } from '../draft.js';
import { recipientsOf } from '../draft-content.js';
import { drafts } from '../drafts.projection.js';
import { type NoticeText, NoticeTexts } from './notice-texts.js';

/** Characters of the draft's subject that the notice shows. */
const SUBJECT_LENGTH = 100;

/** Says in notices what there is to review. */
@Injectable()
export class TellReviewers implements OnModuleInit {
  constructor(
    private readonly texts: NoticeTexts,
    private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.texts.add('draft', async (organizationId, { draft_id, draft_version }, apiRoot) => {
      const draft = await this.store.load(this.store.database, organizationId, drafts, draft_id!);
      // Once it has another version, there is nothing to review, or another notice tells of it.
      return draft.state && draft.version === draft_version ? textOf(draft.state, apiRoot) : null;
    });
  }
}

function textOf(draft: Draft, apiRoot: string): NoticeText {
  const subject = oneLine(draft.subject ?? '').slice(0, SUBJECT_LENGTH);
  const recipient = recipientOf(draft);
  const what = draft.kind === 'response' ? 'reply' : 'message';
  return {
    subject: `Draft to review: ${subject === '' ? what : `"${subject}"`} to ${recipient}`,
    lines: [
      `A ${what} to ${recipient} was drafted and waits for your review.`,
      ...(subject === '' ? [] : ['', `Subject: ${subject}`]),
      '',
      `Draft: ${apiRoot}/${pathOf(draft)}`,
      `To send it: POST ${apiRoot}/${pathOf(draft)}/send`,
    ],
  };
}

function recipientOf(draft: Draft): string {
  const { recipient_name, recipient_phone_number, modality } = draft;
  const emails = recipientsOf(draft).join(', ') || null;
  const address =
    modality === 'text' ? (recipient_phone_number ?? emails) : (emails ?? recipient_phone_number);
  const name = oneLine(recipient_name ?? '');
  if (address === null) return name || 'nobody yet';
  return name === '' ? address : `${name} (${address})`;
}

const pathOf = ({ kind, draft_id, conversation_id }: Draft): string =>
  kind === 'message'
    ? `message-drafts/${draft_id}`
    : `conversations/${conversation_id}/response-drafts/${draft_id}`;
