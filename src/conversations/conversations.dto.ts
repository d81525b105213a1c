import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsString, Matches, Max, Min, ValidateBy } from 'class-validator';
import {
  EmailField,
  EmailListField,
  FreeObject,
  InstantField,
  LONG,
  Nested,
  OneOf,
  Optional,
  OptionalNullable,
  PhoneField,
  Text,
} from '#http/fields.js';
import { AttachmentResponse } from './attachment.dto.js';

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
}

export class EmailMetadataResponse {
  @ApiProperty({ type: String, nullable: true })
  email_message_id!: string | null;
  cc_emails!: string[];
  bcc_emails!: string[];
}

export class CallMetadataResponse {
  /** Whole seconds. */
  @ApiProperty({ type: 'integer', nullable: true })
  duration!: number | null;
  /** Where the recording can be heard; only of calls that were recorded. */
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
  is_form_request!: boolean;
  @ApiProperty({ type: String, nullable: true })
  subject!: string | null;
  /** The text of the message. */
  content!: string;
  /** The HTML that was sent, where the message came from a draft. */
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
  /** What makes a repeat recognisable, as it was given. */
  @ApiProperty({ type: String, nullable: true })
  external_id!: string | null;
  /** Whether a machine sent it in answer (RFC 3834). */
  is_auto_reply!: boolean;
  /** What the writer of an e-mail added to the history it quotes; null where content quotes none. */
  @ApiProperty({ type: String, nullable: true })
  new_content!: string | null;
  /** Who wrote in a live chat, by the name that its provider has for them. */
  @ApiProperty({ type: String, nullable: true })
  visitor_id!: string | null;
  /** Files that came with it. */
  attachments!: AttachmentResponse[];
}

export class RecordedContactBody {
  /** A contact of the organization; instead of the other fields. */
  @Optional()
  @IsString()
  contact_id?: string;
  /** @example "Grace Hopper" */
  @OptionalNullable()
  @Text()
  name?: string | null;
  /** Matches the oldest contact with this address, in any case. @example "grace@navy.example" */
  @OptionalNullable()
  @EmailField()
  email?: string | null;
  /** Matches the oldest contact with this number, however it is written. */
  @OptionalNullable()
  @PhoneField()
  phone_number?: string | null;
}

const LONGEST_IDS = 100_000;

const MessageIds = () => {
  const text = { type: 'string', maxLength: LONGEST_IDS };
  return applyDecorators(
    ValidateBy(
      {
        name: 'messageIds',
        validator: {
          validate: (value) =>
            [value].flat().every((id) => typeof id === 'string' && id.length <= LONGEST_IDS),
        },
      },
      { message: 'must be a string or an array of strings' },
    ),
    ApiProperty({ oneOf: [text, { type: 'array', items: text }] }),
  );
};

export class RecordedEmailBody {
  /** Message-ID of this e-mail; angle brackets do not matter. */
  @OptionalNullable()
  @Text()
  email_message_id?: string | null;
  /** Message-ID of the e-mail it answers. */
  @Optional()
  @MessageIds()
  in_reply_to?: string | string[];
  /** Message-IDs of the thread, oldest first. */
  @Optional()
  @MessageIds()
  references?: string | string[];
  @Optional()
  @EmailListField()
  cc_emails?: string[];
  @Optional()
  @EmailListField()
  bcc_emails?: string[];
}

export class RecordedCallBody {
  /** Whole seconds. */
  @OptionalNullable()
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  @ApiProperty({ type: 'integer' })
  duration?: number | null;
}

export class RecordMessageBody {
  /** email, text, call, live_chat or any other lower-case channel word. @example "text" */
  @Matches(/^[a-z][a-z0-9_-]{0,49}$/, { message: 'must be a lower-case channel word' })
  modality!: string;
  @OneOf('sent', 'received')
  message_direction!: 'sent' | 'received';
  /** May be empty for a call. @example "Do you have it in blue?" */
  @Text(LONG)
  content!: string;
  /** Who it was exchanged with; required unless conversation_id is given. */
  @Optional()
  @Nested(() => RecordedContactBody)
  contact?: RecordedContactBody;
  /** The conversation it belongs to; found by threading and contact when left out. */
  @Optional()
  @IsString()
  conversation_id?: string;
  /** The agent who sent or took it. */
  @OptionalNullable()
  @IsString()
  agent_id?: string | null;
  @OptionalNullable()
  @Text()
  subject?: string | null;
  /** When it happened; now when left out. */
  @Optional()
  @InstantField()
  sent_at?: string;
  @OptionalNullable()
  @InstantField()
  drafted_at?: string | null;
  @OptionalNullable()
  @Text(LONG)
  call_transcript?: string | null;
  @Optional()
  @Nested(() => RecordedCallBody)
  call_metadata?: RecordedCallBody;
  @Optional()
  @IsBoolean()
  is_form_request?: boolean;
  /** Submitted form data; only with is_form_request. */
  @OptionalNullable()
  @FreeObject()
  form_request_body?: Record<string, unknown> | null;
  @Optional()
  @Nested(() => RecordedEmailBody)
  email_metadata?: RecordedEmailBody;
  /** Folder to put the conversation into. */
  @OptionalNullable()
  @Text()
  folder?: string | null;
  /** Unique per organization: a repeat answers 200 with the message that is already recorded. */
  @Optional()
  @Text()
  external_id?: string;
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
}
