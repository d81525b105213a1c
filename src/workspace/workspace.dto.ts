import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, Matches, Max, Min, ValidateBy } from 'class-validator';
import { isSupportedCountry } from 'libphonenumber-js/max';
import {
  EmailField,
  EmailListField,
  Nested,
  NonEmptyText,
  Optional,
  OptionalNullable,
  Text,
} from '#http/input/fields.js';

export class OrganizationResponse {
  /** @example "org_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  organization_id!: string;
  /** @example "Northwind Traders" */
  name!: string;
}

export class OrganizationListResponse {
  data!: OrganizationResponse[];
}

export class AgentResponse {
  /** @example "agent_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  agent_id!: string;
  /** @example "Ada Byron" */
  name!: string;
  /** @example "ada@northwind.example" */
  @ApiProperty({ type: String, nullable: true })
  email!: string | null;
  /** What the agent's mails end with; null for nothing. */
  @ApiProperty({ type: String, nullable: true })
  signature_html!: string | null;
  /** When any of the attributes shown here last changed. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

/** An IANA time zone. */
export const Timezone = () =>
  ValidateBy(
    { name: 'timezone', validator: { validate: (zone) => typeof zone === 'string' && isTimezone(zone) } },
    { message: 'must be an IANA time zone such as Europe/Berlin' },
  );

function isTimezone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const Region = () =>
  ValidateBy(
    {
      name: 'region',
      validator: { validate: (region) => typeof region === 'string' && isSupportedCountry(region) },
    },
    { message: 'must be an ISO 3166 region of two capital letters, such as DE' },
  );

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** True for text that is no time: another rule refuses that. */
const isAfter = (to: unknown, from: unknown): boolean =>
  !TIME.test(String(from)) || !TIME.test(String(to)) || String(to) > String(from);

export class BusinessHoursBody {
  /** ISO weekdays, 1 (Monday) to 7. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(7)
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(7, { each: true })
  @ApiProperty({
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 7 },
    example: [1, 2, 3, 4, 5],
  })
  days!: number[];
  /** Opening time, HH:MM in the organization's time zone. @example "09:00" */
  @Matches(TIME, { message: 'must be a time HH:MM' })
  @ApiProperty({ pattern: TIME.source })
  from!: string;
  /** Closing time, HH:MM, after `from`. @example "17:00" */
  @Matches(TIME, { message: 'must be a time HH:MM' })
  @ApiProperty({ pattern: TIME.source })
  @ValidateBy(
    {
      name: 'afterFrom',
      validator: { validate: (to, args) => isAfter(to, (args!.object as BusinessHoursBody).from) },
    },
    { message: 'must be after from' },
  )
  to!: string;
}

export class CreateOrganizationBody {
  /** @example "Northwind Traders" */
  @NonEmptyText()
  name!: string;
  /** IANA time zone; UTC when left out. @example "Europe/Berlin" */
  @Optional()
  @Timezone()
  @ApiProperty({ maxLength: 100, default: 'UTC' })
  timezone?: string;
  /** ISO 3166 region that phone numbers without a country code belong to; US when left out. */
  @Optional()
  @Region()
  @ApiProperty({ pattern: '^[A-Z]{2}$', default: 'US' })
  default_region?: string;
  /** Monday to Friday, 09:00 to 17:00 when left out. */
  @Optional()
  @Nested(() => BusinessHoursBody)
  business_hours?: BusinessHoursBody;
  /** Who is told by e-mail of drafts to review; nobody when left out. @example ["team@northwind.example"] */
  @Optional()
  @EmailListField()
  notification_emails?: string[];
}

export class ChangeOrganizationBody {
  /** @example "Northwind Traders" */
  @Optional()
  @NonEmptyText()
  name?: string;
  /** Who is told by e-mail of drafts to review; they take the place of the former ones. @example ["team@northwind.example"] */
  @Optional()
  @EmailListField()
  notification_emails?: string[];
}

export class OrganizationDetailsResponse extends OrganizationResponse {
  /** IANA time zone. @example "Europe/Berlin" */
  timezone!: string;
  /** ISO 3166 region in which numbers without a country code are. @example "DE" */
  default_region!: string;
  business_hours!: BusinessHoursBody;
}

export class AdminOrganizationResponse extends OrganizationDetailsResponse {
  /** Who is told by e-mail of drafts to review. */
  notification_emails!: string[];
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class AdminOrganizationListResponse {
  data!: AdminOrganizationResponse[];
}

export class CreateAgentBody {
  /** @example "Ada Byron" */
  @NonEmptyText()
  name!: string;
  /** @example "ada@northwind.example" */
  @OptionalNullable()
  @EmailField()
  email?: string | null;
}

/** The longest signature: agents are kept in memory, and shown beside what they have written. */
const LONGEST_SIGNATURE = 10_000;

export class ChangeSignatureBody {
  /**
   * What the agent's mails end with; null for nothing. HTML; scripts and handlers are taken out.
   * @example "<p>Ada Byron<br>Northwind Traders</p>"
   */
  @OptionalNullable()
  @Text(LONGEST_SIGNATURE)
  signature_html?: string | null;
}

/** Fields left out stay as they are. */
export class ChangeAgentBody extends ChangeSignatureBody {
  /** @example "Ada Byron" */
  @Optional()
  @NonEmptyText()
  name?: string;
  /** @example "ada@northwind.example" */
  @OptionalNullable()
  @EmailField()
  email?: string | null;
}

export class AgentListResponse {
  data!: AgentResponse[];
}

export class SolutionBody {
  /** @example "Northwind Traders" */
  @NonEmptyText()
  name!: string;
}

export class SolutionResponse {
  @ApiProperty({ format: 'uuid' })
  uuid!: string;
  name!: string;
}
