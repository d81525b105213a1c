import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsBoolean, IsInt, IsString, Matches, Max, Min, ValidateBy } from 'class-validator';
import {
  EmailField,
  EmailListField,
  EmailsField,
  FreeObject,
  InstantField,
  LONG,
  NonEmptyText,
  Nested,
  OneOf,
  Optional,
  OptionalNullable,
  PhoneField,
  Text,
} from '#http/input/fields.js';

export class RecordedContactBody {
  /** A contact of the organization, without the other fields: 400 with both. */
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

export class MessageAuthorBody {
  /** The contact who wrote it, without an address or number to match; only of a received message. */
  @Optional()
  @IsString()
  contact_id?: string;
  /** @example "Grace Hopper" */
  @OptionalNullable()
  @Text()
  name?: string | null;
  /** Of a received message: matches the oldest contact with this address, or makes one. @example "grace@navy.example" */
  @OptionalNullable()
  @EmailField()
  email?: string | null;
  @OptionalNullable()
  @PhoneField()
  phone_number?: string | null;
}

/** At least one of name, email and phone_number. */
export class MessageRecipientBody {
  /** @example "Help desk" */
  @OptionalNullable()
  @Text()
  name?: string | null;
  /** @example "help@acme.example" */
  @OptionalNullable()
  @EmailField()
  email?: string | null;
  @OptionalNullable()
  @PhoneField()
  phone_number?: string | null;
}

export class MessageCopyBody {
  /** @example "Howard Aiken" */
  @OptionalNullable()
  @Text()
  name?: string | null;
  /** @example "howard@harvard.example" */
  @NonEmptyText()
  @EmailField()
  email!: string;
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
  /** Message-ID of this e-mail; angle brackets do not matter. Without an `external_id` it identifies a repeat. */
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
  /**
   * Where its sender wants replies, if elsewhere than at the contact's address (RFC 5322, 3.6.2): an address, or several
   * separated by commas. @example "grace@navy.example"
   */
  @OptionalNullable()
  @EmailsField()
  reply_to?: string | null;
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

const MOST_RECIPIENTS = 100;

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
  /** Who wrote it, as the message says. A received message without it is by its contact. */
  @Optional()
  @Nested(() => MessageAuthorBody)
  from?: MessageAuthorBody;
  /** Whom it was addressed to, in order. */
  @Optional()
  @ArrayMaxSize(MOST_RECIPIENTS)
  @Nested(() => MessageRecipientBody, true)
  @ApiProperty({ maxItems: MOST_RECIPIENTS })
  to?: MessageRecipientBody[];
  /** Who got a copy. Without `email_metadata.cc_emails`, its addresses are those. */
  @Optional()
  @ArrayMaxSize(MOST_RECIPIENTS)
  @Nested(() => MessageCopyBody, true)
  @ApiProperty({ maxItems: MOST_RECIPIENTS })
  cc?: MessageCopyBody[];
  /** What it looked like. Scripts, forms, event handlers and whatever else could run are taken out. */
  @OptionalNullable()
  @Text(LONG)
  body_html?: string | null;
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
  @ApiProperty({ default: false })
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
