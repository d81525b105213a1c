import { ApiProperty } from '@nestjs/swagger';
import { FileResponse } from '../files/files.contract.js';
import { IsBoolean, IsString, ValidateIf } from 'class-validator';
import {
  EmailField,
  EmailListField,
  IdListField,
  InstantField,
  LONG,
  NonEmptyText,
  OneOf,
  Optional,
  OptionalNullable,
  PhoneField,
  Text,
} from '#http/input/fields.js';
import { STATUSES } from './delivery.js';

export class DeliveryResponse {
  @ApiProperty({ enum: ['none', ...STATUSES] })
  status!: string;
  @ApiProperty({ type: 'integer' })
  attempts!: number;
  /** Why the last try did not succeed, or why it was kept for review instead. */
  @ApiProperty({ type: String, nullable: true })
  last_error!: string | null;
  /** When it is tried, for the first time or again; null unless it is queued or retrying. */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_attempt_at!: string | null;
}

class RecipientResponse {
  @ApiProperty({ type: String, nullable: true })
  recipient_name!: string | null;
  @ApiProperty({ type: String, nullable: true })
  recipient_email!: string | null;
  /** All whom it goes to by e-mail, `recipient_email` first: a mail may ask for replies to several addresses. */
  recipient_emails!: string[];
  /** Where it goes by text: a number, or an address such as `whatsapp:+12125550101`. */
  @ApiProperty({ type: String, nullable: true })
  recipient_phone_number!: string | null;
  cc_emails!: string[];
  bcc_emails!: string[];
  /** The files that the mail carries, in their order. */
  files!: FileResponse[];
  /** Whether the mail leaves without its agent's signature. */
  without_signature!: boolean;
  /** When it is to leave: `send_at`, else when it was put on the queue; null while it is saved for review. */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  scheduled_send_at!: string | null;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
  delivery!: DeliveryResponse;
}

export class ResponseDraftResponse extends RecipientResponse {
  /** @example "response_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  response_id!: string;
  conversation_id!: string;
  @ApiProperty({ type: String, nullable: true })
  body_html!: string | null;
  /** Whether it is kept for review instead if the contact writes before it leaves. */
  cancel_on_reply!: boolean;
  /** Whether it closes the conversation when it is sent. */
  close_after_send!: boolean;
  /** When any of the attributes shown here last changed. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class MessageDraftResponse extends RecipientResponse {
  /** @example "draft_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  draft_id!: string;
  @ApiProperty({ type: String, nullable: true })
  subject!: string | null;
  @ApiProperty({ type: String, nullable: true })
  body_html!: string | null;
  @ApiProperty({ enum: ['email', 'text', 'live_chat', 'call'] })
  modality!: string;
  /** The agent who will be its sender. */
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
  /** @example "drafts" */
  folder!: string;
  /** When any of the attributes shown here last changed. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

/** When to send; a body without fields, or none, sends at once. */
export class SendDraftBody {
  /**
   * When it is to leave instead of at once, at most 366 days ahead. One in the past leaves at once.
   * @example "2026-12-01T09:00:00Z"
   */
  @Optional()
  @InstantField()
  send_at?: string;
}

class SendingBody {
  @Optional()
  @EmailListField()
  cc_emails?: string[];
  @Optional()
  @EmailListField()
  bcc_emails?: string[];
  /** Files for the mail to carry, at most 25, and 20 MiB together. An overwrite without it keeps those of the draft. */
  @Optional()
  @IdListField('file', 25)
  file_ids?: string[];
  /**
   * A template in place of body_html, filled for the recipient as the draft is saved. It must be one for the channel that the draft
   * leaves by; 400 `template_incomplete` names what has no value.
   */
  @OptionalNullable()
  @IsString()
  template_id?: string | null;
  /** With template_id: the sale that its `{{sale.total_price}}` and `{{sale.currency}}` are taken from. */
  @OptionalNullable()
  @IsString()
  sale_id?: string | null;
  /** Leave out the signature of the agent that a mail otherwise ends with. */
  @Optional()
  @IsBoolean()
  @ApiProperty({ default: false })
  without_signature?: boolean;
  /** Queue it for delivery at once instead of saving it for review. */
  @Optional()
  @IsBoolean()
  @ApiProperty({ default: false })
  autosend_draft?: boolean;
  /** When it is to leave instead of at once, at most 366 days ahead. One in the past leaves at once. Needs autosend_draft. */
  @Optional()
  @InstantField()
  send_at?: string;
  /** Tell people that there is a draft to review; true when left out. Must be false with autosend_draft. */
  @Optional()
  @IsBoolean()
  @ApiProperty({ default: true })
  add_notification?: boolean;
}

export class SaveResponseDraftBody extends SendingBody {
  /**
   * The reply; HTML is allowed, scripts and handlers are taken out. Needed unless there is a template_id.
   * @example "<p>Yes, we do.</p>"
   */
  @ValidateIf((body: SaveResponseDraftBody, value) => value != null || body.template_id == null)
  @NonEmptyText(LONG)
  body_html?: string;
  /** If the contact writes before it leaves, keep it for review instead; `delivery.last_error` then says why. */
  @Optional()
  @IsBoolean()
  @ApiProperty({ default: false })
  cancel_on_reply?: boolean;
  /** Close the conversation when it is sent, unless the contact has written since it was accepted for sending. */
  @Optional()
  @IsBoolean()
  @ApiProperty({ default: false })
  close_after_send?: boolean;
}

/** At least one of subject, body_html and template_id must be given. */
export class CreateMessageDraftBody extends SendingBody {
  /** The channel it leaves by, which the organization must have set up. */
  @OneOf('email', 'text')
  modality!: 'email' | 'text';
  /** That of the template when left out. @example "Your renewal" */
  @OptionalNullable()
  @Text()
  subject?: string | null;
  /** HTML; scripts and handlers are taken out. @example "<p>Shall we talk about it?</p>" */
  @OptionalNullable()
  @Text(LONG)
  body_html?: string | null;
  /** Display name of the recipient. @example "Grace Hopper" */
  @OptionalNullable()
  @Text()
  to_user_name?: string | null;
  /** Recipient of an e-mail. @example "grace@navy.example" */
  @OptionalNullable()
  @EmailField()
  to_email?: string | null;
  /** Recipient of a text. @example "+1 212 555 0101" */
  @OptionalNullable()
  @PhoneField()
  to_phone_number?: string | null;
  /** Folder to file it in; lower-cased, with hyphens for all but letters and digits. `drafts` when left out. @example "Spring Campaign" */
  @OptionalNullable()
  @Text()
  folder?: string | null;
}

class AcceptedResponse {
  /** Whether it is queued for delivery. */
  scheduled_to_send!: boolean;
  /** When it is to leave: `send_at`, else when it was put on the queue; null while it is saved for review. */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  scheduled_send_at!: string | null;
}

export class SavedResponseDraftResponse extends AcceptedResponse {
  response_id!: string;
  conversation_id!: string;
}

export class SavedMessageDraftResponse extends AcceptedResponse {
  draft_id!: string;
  /** @example "spring-campaign" */
  folder!: string;
}
