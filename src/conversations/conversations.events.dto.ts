import { ApiProperty, OmitType } from '@nestjs/swagger';
import { RecordTagResponse } from '../tags/tags.contract.js';
import { MessageResponse } from './conversations.dto.js';
import { STATUSES } from './status.js';

// The data of public events. Schemas are named after these classes.

/** A message as it was recorded. */
export class RecordedMessageData extends OmitType(MessageResponse, ['tracked_links'] as const) {
  /** Contacts who wrote it together with the one in `from`; not there when nobody did. */
  also_by?: string[];
}

export class ConversationOpenedData {
  conversation_id!: string;
  contact_id!: string;
  @ApiProperty({ type: String, nullable: true })
  folder!: string | null;
  /** The agent of the contact's company, who owns it from the start. */
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
  /** Its first message. */
  message!: RecordedMessageData;
}

export class MessageRecordedData {
  message!: RecordedMessageData;
  /** The folder that came with the message: the conversation's, unless a later message or a person has given another. */
  folder?: string;
}

/** Only the fields that changed. */
export class ConversationTriagedData {
  is_read?: boolean;
  @ApiProperty({ type: String, nullable: true })
  folder?: string | null;
  /** The owner. */
  @ApiProperty({ type: String, nullable: true })
  agent_id?: string | null;
  @ApiProperty({ enum: STATUSES })
  status?: string;
  /** When it is open again; null unless it is snoozed. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  snoozed_until?: string | null;
}

export class ConversationWokenData {
  /** Until when it was snoozed. */
  @ApiProperty({ format: 'date-time' })
  snoozed_until!: string;
}

export class ConversationTakenInData {
  /** The conversation that is no more. */
  conversation_id!: string;
  /** The folder, from now on, of the conversation that has the messages; so are the fields below. */
  @ApiProperty({ type: String, nullable: true })
  folder!: string | null;
  is_read!: boolean;
  /** The owner. */
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
  @ApiProperty({ enum: STATUSES })
  status!: string;
  /** When it is open again; null unless it is snoozed. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  snoozed_until!: string | null;
  /** Its tags; not there in events of earlier versions. */
  tags?: RecordTagResponse[];
}

export class ConversationDraftChangedData {
  /** Whether it has a reply that is not sent yet. */
  has_draft!: boolean;
}

export class ConversationMergedData {
  /** The conversation that its messages are in now. */
  into_conversation_id!: string;
}

export class ConversationContactReplacedData {
  /** The contact who was merged. */
  from_contact_id!: string;
  /** The contact who stays. */
  to_contact_id!: string;
}

export class ConversationCommentsCountedData {
  /** How many there are now. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  comment_count!: number;
}

export class BouncedRecipientData {
  /** The address that the message was sent to. @example "grace@navy.example" */
  address!: string;
  /** The address it had been forwarded to, if the report names another. @example "grace@forwarded.example" */
  final_address?: string;
  /** failed, delayed, delivered, relayed or expanded. */
  action!: string;
  /** RFC 3463 code. @example "5.1.1" */
  @ApiProperty({ type: String, nullable: true })
  status!: string | null;
  /** What the mail server said. */
  @ApiProperty({ type: String, nullable: true })
  diagnostic!: string | null;
}

export class BounceReceivedData {
  bounce_id!: string;
  /** Message-ID of the mail that the report answers. */
  @ApiProperty({ type: String, nullable: true })
  original_message_id!: string | null;
  /** The sent message that the report is about, if it is known. */
  @ApiProperty({ type: String, nullable: true })
  message_id!: string | null;
  /** What became of the mail for each recipient. */
  recipients!: BouncedRecipientData[];
  @ApiProperty({ format: 'date-time' })
  received_at!: string;
}
