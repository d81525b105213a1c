import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IsBoolean, IsString } from 'class-validator';
import { InstantField, OneOf, Optional, OptionalNullable, Text } from '#http/input/fields.js';
import { ContactResponse } from '../crm/crm.contract.js';
import { RecordTagResponse } from '../tags/tags.contract.js';
import { AgentResponse } from '../workspace/workspace.contract.js';
import { AttachmentResponse } from './attachment.dto.js';
import { REPLY_MODALITIES } from './conversation.js';
import { type Status, STATUSES } from './status.js';

export class LastMessageResponse {
  /** @example "msg_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  message_id!: string;
  @ApiProperty({ enum: ['sent', 'received'] })
  direction!: 'sent' | 'received';
  /** @example "email" */
  modality!: string;
  @ApiProperty({ format: 'date-time' })
  sent_at!: string;
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
}

@ApiExtraModels(LastMessageResponse)
/** A conversation. What it shows of its messages follows the order in which they were sent. */
export class ConversationResponse {
  /** @example "conv_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  conversation_id!: string;
  /** Instant of its first message. */
  @ApiProperty({ format: 'date-time' })
  start_at!: string;
  /** Instant of its latest message. */
  @ApiProperty({ format: 'date-time' })
  last_activity_at!: string;
  @ApiProperty({ type: String, nullable: true })
  folder!: string | null;
  is_read!: boolean;
  contact_id!: string;
  /** The owner: whoever was assigned, else the agent of the contact's company, else the first agent who sent in it. */
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
  /** Whether it is to be dealt with (`open`), again later (`snoozed`), or no more (`closed`). A message of the contact opens it. */
  @ApiProperty({ enum: STATUSES, example: 'open' })
  status!: string;
  /** When it is open again; null unless it is snoozed. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  snoozed_until!: string | null;
  /** Subject of the first message that has one. @example "Blue or green?" */
  @ApiProperty({ type: String, nullable: true })
  subject!: string | null;
  /** The first 200 characters of what the latest message says anew, white space folded. @example "Blue, please." */
  preview!: string;
  /** How many messages it has. @example 2 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  message_count!: number;
  /** A summary of its latest message; with `expand=last_message` the message as its own route shows it. */
  @ApiProperty({
    // Else the plugin demands the summary's fields of both.
    type: Object,
    oneOf: [{ $ref: getSchemaPath(LastMessageResponse) }, { $ref: getSchemaPath('MessageResponse') }],
  })
  last_message!: LastMessageResponse;
  /**
   * The channel that a reply leaves by: that of the latest message that came in, a call being answered by text, and anything without a
   * channel of its own by e-mail. So is a live chat while the organization has no channel for it.
   */
  @ApiProperty({ enum: REPLY_MODALITIES, example: 'email' })
  reply_modality!: string;
  /** When the contact wrote the message that still waits for an answer; null when nobody waits. Machines do not wait. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  waiting_since!: string | null;
  /** Whether an answer is being written or on its way out. */
  has_draft!: boolean;
  /** Contacts who wrote in it, at most 20. */
  participants!: string[];
  /** Its tags, by name. */
  tags!: RecordTagResponse[];
  /** How many comments there are on it. @example 1 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  comment_count!: number;
  /** When any of the attributes shown here last changed. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
  /** The contact of `contact_id`. Only with `expand=contact`. */
  @ApiProperty({ type: () => ContactResponse, nullable: true, required: false })
  contact?: ContactResponse | null;
  /** The agent of `agent_id`. Only with `expand=agent`. */
  @ApiProperty({ type: () => AgentResponse, nullable: true, required: false })
  agent?: AgentResponse | null;
}

export class AuthenticationResponse {
  /** Whether the sending server may send for the domain of the envelope's sender (RFC 7208). @example "pass" */
  @ApiProperty({ type: String, nullable: true })
  spf!: string | null;
  /** Whether a signature of the mail is valid (RFC 6376). @example "pass" */
  @ApiProperty({ type: String, nullable: true })
  dkim!: string | null;
  /** Whether one of the two is for the domain in From, as its owner asks (DMARC, RFC 7489). @example "fail" */
  @ApiProperty({ type: String, nullable: true })
  dmarc!: string | null;
}

export class EmailMetadataResponse {
  /** Its Message-ID. */
  @ApiProperty({ type: String, nullable: true })
  email_message_id!: string | null;
  /** Message-IDs of the mails it answers, without angle brackets, as are `references`. */
  in_reply_to!: string[];
  /** Message-IDs of its thread, the oldest first. */
  references!: string[];
  cc_emails!: string[];
  bcc_emails!: string[];
  /** Where its sender wants replies, as its `Reply-To` names it: addresses separated by commas. Absent where it names none. */
  @ApiProperty({ type: String, required: false })
  reply_to?: string;
  /** True where `reply_to` is of another domain than the sender's address: look twice before you answer. Absent otherwise. */
  @ApiProperty({ type: Boolean, required: false })
  reply_to_other_domain?: boolean;
  /** What our receiving server found out about the sender (RFC 8601); only where the operator has named that server. */
  @ApiProperty({ type: AuthenticationResponse, required: false })
  authentication?: AuthenticationResponse;
}

export class CallMetadataResponse {
  /** Whole seconds. */
  @ApiProperty({ type: 'integer', nullable: true })
  duration!: number | null;
  /** Where the recording can be heard; only for calls that were recorded. */
  @ApiProperty({ type: String, format: 'uri', required: false })
  recording_url?: string;
}

export class TrackedLinkResponse {
  link_id!: string;
  /** The original destination. */
  url!: string;
  @ApiProperty({ type: 'integer' })
  click_count!: number;
  /** The same without the clicks of obvious scanners and link previews. */
  @ApiProperty({ type: 'integer' })
  human_click_count!: number;
}

export class TrackedLinkListResponse {
  /** In the order of the mail. */
  data!: TrackedLinkResponse[];
}

export class RecipientResponse {
  @ApiProperty({ type: String, nullable: true, example: 'Help desk' })
  name!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'help@acme.example' })
  email!: string | null;
  @ApiProperty({ type: String, nullable: true, example: null })
  phone_number!: string | null;
}

export class CopyRecipientResponse {
  @ApiProperty({ type: String, nullable: true, example: 'Howard Aiken' })
  name!: string | null;
  /** @example "howard@harvard.example" */
  email!: string;
}

export class AuthorResponse {
  /** As the message names its author; so are the address and the number. */
  @ApiProperty({ type: String, nullable: true, example: 'Grace Hopper' })
  name!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'grace@navy.example' })
  email!: string | null;
  @ApiProperty({ type: String, nullable: true, example: null })
  phone_number!: string | null;
  /** The contact who wrote it, in a thread of several people not always the conversation's; null of a sent message. */
  @ApiProperty({ type: String, nullable: true, example: 'contact_01hzy3v7q4e8k9m2n5p6r7s8t9' })
  contact_id!: string | null;
}

export class MessageResponse {
  /** @example "msg_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  message_id!: string;
  conversation_id!: string;
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
  /** Channel: email, call, text, live_chat or another word. @example "email" */
  modality!: string;
  @ApiProperty({ enum: ['sent', 'received'] })
  message_direction!: string;
  /** Who wrote it. All null but the contact where it was recorded before this was kept. */
  from!: AuthorResponse;
  /** Whom it was addressed to, in the order of the mail's To header; by other channels the one number or address. */
  to!: RecipientResponse[];
  /** Who got a copy. */
  cc!: CopyRecipientResponse[];
  is_form_request!: boolean;
  @ApiProperty({ type: String, nullable: true })
  subject!: string | null;
  /** The text of the message. */
  content!: string;
  /**
   * What it looked like, without scripts, forms, event handlers and whatever else could run; null where it had no HTML. `cid:`
   * names an attachment by its `content_id`. Pictures, fonts and styles of other servers are as written: whoever shows it decides.
   */
  @ApiProperty({ type: String, nullable: true })
  body_html!: string | null;
  @ApiProperty({ type: String, nullable: true })
  call_transcript!: string | null;
  /** Campaign information and form fields; null when is_form_request is false. */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: true })
  form_request_body!: Record<string, unknown> | null;
  @ApiProperty({ format: 'date-time' })
  sent_at!: string;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  drafted_at!: string | null;
  email_metadata!: EmailMetadataResponse;
  call_metadata!: CallMetadataResponse;
  tracked_links!: TrackedLinkResponse[];
  /** Identifies repeats of the message; as it was given. */
  @ApiProperty({ type: String, nullable: true })
  external_id!: string | null;
  /** Whether a machine sent it as an automatic answer (RFC 3834). */
  is_auto_reply!: boolean;
  /** What the writer of an e-mail added to the history it quotes; null where content quotes none. */
  @ApiProperty({ type: String, nullable: true })
  new_content!: string | null;
  /** Who wrote in a live chat, as the chat's provider names them. */
  @ApiProperty({ type: String, nullable: true })
  visitor_id!: string | null;
  /** Files that came with it. */
  attachments!: AttachmentResponse[];
  /** The agent of `agent_id`. Only with `expand=agent`. */
  @ApiProperty({ type: () => AgentResponse, nullable: true, required: false })
  agent?: AgentResponse | null;
}

/** Fields left out stay as they are. */
export class UpdateConversationBody {
  /** @example true */
  @Optional()
  @IsBoolean()
  is_read?: boolean;
  @OptionalNullable()
  @Text()
  folder?: string | null;
  /** The owner, an agent of the organization. */
  @OptionalNullable()
  @IsString()
  agent_id?: string | null;
  /** `snoozed` needs `snoozed_until`; the others clear it. */
  @Optional()
  @OneOf(...STATUSES)
  status?: Status['status'];
  /**
   * When the snoozed conversation is open again: in the future, at most 366 days ahead. Without `status` it moves the instant of one
   * that is snoozed already. Must be left out, or null, with another status.
   */
  @OptionalNullable()
  @InstantField()
  snoozed_until?: string | null;
}

export class MergeConversationBody {
  /** The conversation that becomes part of the one in the path. @example "conv_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  @IsString()
  from_conversation_id!: string;
}
