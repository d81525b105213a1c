import { ApiProperty } from '@nestjs/swagger';
import { EmailField, OneOf, Optional, PhoneField } from '#http/input/fields.js';
import { type Reason, REASONS } from './suppression.js';

/** Exactly one of email and phone_number must be given. */
export class AddSuppressionBody {
  /** @example "moved@contoso.example" */
  @Optional()
  @EmailField()
  email?: string;
  @Optional()
  @PhoneField()
  phone_number?: string;
  /** Why; `manual` when left out. Replies are still sent unless it is `bounced`. */
  @Optional()
  @OneOf(...REASONS)
  @ApiProperty({ default: 'manual' })
  reason?: Reason;
}

export class SuppressionResponse {
  /** The suppression. @example "supp_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  suppression_id!: string;
  /** As given; null for a number. @example "grace@navy.example" */
  @ApiProperty({ type: String, nullable: true })
  email!: string | null;
  /** As given; null for an e-mail address. */
  @ApiProperty({ type: String, nullable: true })
  phone_number!: string | null;
  /** Why nothing more is sent to it. */
  @ApiProperty({ enum: REASONS })
  reason!: string;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}
