import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, Matches, Max, Min, ValidateBy } from 'class-validator';
import {
  EmailField,
  NonEmptyText,
  OneOf,
  Optional,
  OptionalNullable,
  PhoneField,
  Text,
} from '#http/input/fields.js';

export class EmailChannelBody {
  @OneOf('smtp')
  provider!: string;
  /** SMTP server that takes mail out. @example "smtp.example.com" */
  @NonEmptyText()
  host!: string;
  /** @example 587 */
  @IsInt()
  @Min(1)
  @Max(65_535)
  @ApiProperty({ type: 'integer' })
  port!: number;
  /** TLS from the first byte (port 465); otherwise STARTTLS is used where the server offers it. */
  @Optional()
  @IsBoolean()
  @ApiProperty({ default: false })
  secure?: boolean;
  @OptionalNullable()
  @Text()
  username?: string | null;
  @OptionalNullable()
  @Text()
  password?: string | null;
  /** @example "Northwind" */
  @OptionalNullable()
  @Text()
  from_name?: string | null;
  /** Address mail is sent from, and by which inbound mail finds this channel. @example "hello@northwind-traders.example" */
  @NonEmptyText()
  @EmailField()
  from_address!: string;
  /** Page that a browser is sent to after it has submitted a form; a short page of Parley's own when left out. @example "https://www.northwind.example/thanks" */
  @OptionalNullable()
  @Matches(/^https?:\/\/[^\s]{1,990}$/, { message: 'must be an http or https URL' })
  form_thank_you_url?: string | null;
  /**
   * Whether replies carry a `Reply-To` that names their conversation, `local+token@domain`, so that answers find it even
   * from mail programs that leave out `In-Reply-To` and `References`. The mail server of `from_address` must accept `+`
   * addresses.
   */
  @Optional()
  @IsBoolean()
  @ApiProperty({ default: false })
  reply_token?: boolean;
  /** Whether message drafts carry a link by which mail programs unsubscribe their recipient in one click (RFC 8058). */
  @Optional()
  @IsBoolean()
  @ApiProperty({ default: false })
  list_unsubscribe?: boolean;
}

export class TextChannelBody {
  @OneOf('twilio')
  provider!: string;
  /** Account SID of the provider account. @example "AC0123456789abcdef0123456789abcdef" */
  @NonEmptyText()
  account_sid!: string;
  @NonEmptyText()
  auth_token!: string;
  /** Number that texts are sent from. @example "+12125550100" */
  @NonEmptyText()
  @PhoneField()
  from_number!: string;
  /** Another address that speaks Twilio's HTTP API. */
  @OptionalNullable()
  @Matches(/^https?:\/\/[^\s]{1,990}$/, { message: 'must be an http or https URL' })
  @ValidateBy(
    { name: 'noCredentials', validator: { validate: (url) => !/^[^/]*\/\/[^/?#]*@/.test(String(url)) } },
    { message: 'must not hold a user name or password' },
  )
  base_url?: string | null;
}

export class LiveChatChannelBody {
  @OneOf('inbox')
  provider!: string;
}

export class ChannelResponse {
  channel_id!: string;
  modality!: string;
  provider!: string;
  /** Of e-mail. @example "smtp.example.com" */
  host?: string;
  /** Of e-mail. @example 587 */
  @ApiProperty({ type: 'integer' })
  port?: number;
  /** Of e-mail: TLS from the first byte. */
  secure?: boolean;
  /** Of e-mail. */
  @ApiProperty({ type: String, nullable: true })
  username?: string | null;
  /** Of e-mail. @example "Northwind" */
  @ApiProperty({ type: String, nullable: true })
  from_name?: string | null;
  /** Of e-mail. @example "sales@northwind.example" */
  from_address?: string;
  /** Of e-mail: page that a browser is sent to after it has submitted a form. */
  @ApiProperty({ type: String, nullable: true })
  form_thank_you_url?: string | null;
  /** Of e-mail: whether replies carry a `Reply-To` that names their conversation. */
  reply_token?: boolean;
  /** Of e-mail: whether message drafts carry a link to unsubscribe. */
  list_unsubscribe?: boolean;
  /** Of text. */
  account_sid?: string;
  /** Of text. @example "+12125550100" */
  from_number?: string;
  /** Of text. */
  @ApiProperty({ type: String, nullable: true })
  base_url?: string | null;
  /** Absolute URLs, token included, where providers push inbound traffic. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  hooks!: Record<string, string>;
}

export class ChannelListResponse {
  data!: ChannelResponse[];
}

export class ChannelValidationResponse {
  /** Whether the provider accepted the credentials. */
  valid!: boolean;
  /** What the provider said when it did not. */
  @ApiProperty({ type: String, nullable: true })
  detail!: string | null;
}
