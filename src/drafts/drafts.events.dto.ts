import { ApiProperty, PickType } from '@nestjs/swagger';
import { MessageDraftResponse, ResponseDraftResponse } from './drafts.dto.js';

// The data of public events. Schemas are named after these classes.

const CONTENT = [
  'body_html',
  'recipient_name',
  'recipient_email',
  'recipient_emails',
  'recipient_phone_number',
  'cc_emails',
  'bcc_emails',
  'files',
  'without_signature',
  'scheduled_send_at',
] as const;

export class MessageDraftedData extends PickType(MessageDraftResponse, [
  ...CONTENT,
  'draft_id',
  'subject',
  'modality',
  'agent_id',
  'folder',
  'created_at',
] as const) {
  /** Whether people are to be told that there is a draft to review. */
  add_notification!: boolean;
}

export class DraftOverwrittenData extends PickType(ResponseDraftResponse, CONTENT) {
  /** The agent who will be its sender; null in a reply that the conversation's owner sends. */
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
  /** Whether people are to be told that there is a draft to review. */
  add_notification!: boolean;
  /** Whether it is kept for review instead if the contact writes before it leaves. */
  cancel_on_reply!: boolean;
  /** Whether it closes the conversation when it is sent. */
  close_after_send!: boolean;
}

export class ResponseDraftedData extends DraftOverwrittenData {
  response_id!: string;
  conversation_id!: string;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class ReviewRequestedData {
  /** The message draft; null for a reply. */
  @ApiProperty({ type: String, nullable: true })
  draft_id!: string | null;
  /** The response draft; null for a first message. */
  @ApiProperty({ type: String, nullable: true })
  response_id!: string | null;
  /** Of a response draft. */
  @ApiProperty({ type: String, nullable: true })
  conversation_id!: string | null;
  /** Who is told of it by e-mail. */
  notified_emails!: string[];
}

export class DraftQueuedData extends PickType(ResponseDraftResponse, [
  'recipient_name',
  'recipient_email',
  'recipient_emails',
  'recipient_phone_number',
] as const) {
  /** When it is to leave: when it was put on the queue, or `send_at`. */
  @ApiProperty({ format: 'date-time' })
  scheduled_send_at!: string;
  /** The agent who will be its sender. */
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
}

export class DraftUnscheduledData {
  /** Null: nothing is scheduled any more. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  scheduled_send_at!: null;
  /** Why it was kept from leaving; null when somebody asked for that. */
  @ApiProperty({ type: String, nullable: true })
  last_error!: string | null;
}

export class DraftDeletedData {}

export class DraftMovedData {
  /** The conversation that the reply belongs to from now on. */
  conversation_id!: string;
}

export class DraftSentData {
  /** The message it became. */
  message_id!: string;
  /** The message's conversation; a message draft opens it. */
  conversation_id!: string;
  @ApiProperty({ format: 'date-time' })
  sent_at!: string;
}

export class DeliveryStartedData {
  /** The first is 1. */
  @ApiProperty({ type: 'integer' })
  attempt!: number;
}

export class DeliveryRetryScheduledData {
  /** Why the last try did not succeed. */
  last_error!: string;
  @ApiProperty({ format: 'date-time' })
  next_attempt_at!: string;
}

export class DeliveryCompletedData {}

export class DeliveryEndedData {
  /** Why the last try did not succeed, or what is not known of it. */
  last_error!: string;
  /** Null: nothing is scheduled any more. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  scheduled_send_at!: null;
}
