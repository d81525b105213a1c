import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsString, Matches, Max, Min, ValidateBy } from 'class-validator';
import {
  EmailField,
  InstantField,
  isPhoneNumber,
  LONG,
  NonEmptyText,
  OneOf,
  Optional,
  OptionalNullable,
  PhoneField,
  Text,
} from '#http/input/fields.js';

/** What telephone exchanges write when the number is withheld. */
export const WITHHELD = /^\s*(anonymous|blocked|private|restricted|unavailable|unknown|withheld)\s*$/i;

const Caller = () =>
  ValidateBy(
    {
      name: 'caller',
      validator: { validate: (value) => isPhoneNumber(value) || WITHHELD.test(String(value)) },
    },
    { message: 'must be a phone number: 5 to 20 digits; or anonymous' },
  );

export class CallBody {
  /** Id of the call at its provider; a repeat changes nothing. @example "CA1c2d3e" */
  @NonEmptyText()
  call_id!: string;
  /** Who called: the contact (inbound) or the organization (outbound). */
  @OneOf('inbound', 'outbound')
  direction!: 'inbound' | 'outbound';
  /** Number of the caller, or `anonymous` where it was withheld. @example "+12125550101" */
  @NonEmptyText()
  @Caller()
  from!: string;
  /** Number that was called. @example "+12125550100" */
  @NonEmptyText()
  @PhoneField()
  to!: string;
  /** The agent who called or took the call. */
  @OptionalNullable()
  @IsString()
  agent_id?: string | null;
  /** When it began. */
  @InstantField()
  started_at!: string;
  /** Whole seconds. */
  @OptionalNullable()
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  @ApiProperty({ type: 'integer' })
  duration?: number | null;
  /** What was said. */
  @OptionalNullable()
  @Text(LONG)
  transcript?: string | null;
  /** Where the recording can be heard. */
  @OptionalNullable()
  @Matches(/^https?:\/\/\S{1,990}$/i, { message: 'must be an http or https URL' })
  recording_url?: string | null;
}

export class LiveChatBody {
  /** Who writes, as the widget knows them; the same value as long as it recognises them. @example "visitor-7f3a" */
  @NonEmptyText()
  visitor_id!: string;
  /** What they wrote. @example "Do you have it in blue?" */
  @NonEmptyText(LONG)
  text!: string;
  /** Id of the message within the visitor's chat; a post with the same id and content changes nothing. */
  @Optional()
  @NonEmptyText()
  message_id?: string;
  @OptionalNullable()
  @Text()
  name?: string | null;
  @OptionalNullable()
  @EmailField()
  email?: string | null;
  @OptionalNullable()
  @PhoneField()
  phone_number?: string | null;
  /** When it was written; now when left out. */
  @OptionalNullable()
  @InstantField()
  sent_at?: string | null;
}

/** What Twilio posts of a text; more fields come along. */
export class TwilioBody {
  /** Id of the text; a repeat changes nothing. @example "SM0123456789abcdef0123456789abcdef" */
  MessageSid!: string;
  /** Number that it came from. @example "+12125550101" */
  From!: string;
  /** Number that it came to. @example "+12125550100" */
  To?: string;
  /** The text. @example "Do you have it in blue?" */
  Body?: string;
  /** Number of media, whose addresses are MediaUrl0, MediaUrl1, … */
  NumMedia?: string;
}

export class HookQuery {
  /** The channel's token. */
  @Optional()
  @Text()
  token?: string;
}

const NO_MESSAGE = ['bounce', 'auto_reply_loop', 'notice_reply', 'own_mail'] as const;

/** What came in does not become a message. */
export class NoMessageResponse {
  /**
   * `bounce`; `auto_reply_loop` for more than 50 automatic replies to one conversation in an hour, or 500 that answer nothing; `notice_reply` for an
   * answer to a notice of a draft to review; `own_mail` for a copy of a mail that is still being sent: its draft becomes
   * the message.
   * @example "bounce"
   */
  @ApiProperty({ enum: NO_MESSAGE })
  status!: (typeof NO_MESSAGE)[number];
  /** The report, if it is one. */
  @ApiProperty({ type: String, nullable: true })
  bounce_id!: string | null;
  /** The sent message that the report is about, if it is known. */
  @ApiProperty({ type: String, nullable: true })
  message_id!: string | null;
}
