import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { EmailListField, LONG, NonEmptyText, Optional } from '#http/fields.js';

export class DeliveryResponse {
  @ApiProperty({ enum: ['none', 'queued', 'sending', 'retrying', 'failed', 'uncertain'] })
  status!: string;
  @ApiProperty({ type: 'integer' })
  attempts!: number;
  /** Why the last try did not succeed. */
  @ApiProperty({ type: String, nullable: true })
  last_error!: string | null;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_attempt_at!: string | null;
}

export class ResponseDraftResponse {
  /** @example "response_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  response_id!: string;
  conversation_id!: string;
  @ApiProperty({ type: String, nullable: true })
  body_html!: string | null;
  @ApiProperty({ type: String, nullable: true })
  recipient_name!: string | null;
  @ApiProperty({ type: String, nullable: true })
  recipient_email!: string | null;
  @ApiProperty({ type: String, nullable: true })
  recipient_phone_number!: string | null;
  cc_emails!: string[];
  bcc_emails!: string[];
  /** When it was put on the queue; null while it is saved for review. */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  scheduled_send_at!: string | null;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
  delivery!: DeliveryResponse;
}

export class SaveResponseDraftBody {
  /** The reply; HTML is allowed, scripts and handlers are taken out. @example "<p>Yes, we do.</p>" */
  @NonEmptyText(LONG)
  body_html!: string;
  @Optional()
  @EmailListField()
  cc_emails?: string[];
  @Optional()
  @EmailListField()
  bcc_emails?: string[];
  /** Queue it for delivery at once instead of saving it for review. */
  @Optional()
  @IsBoolean()
  autosend_draft?: boolean;
  /** Tell people that there is a draft to review; true when left out. Must be false with autosend_draft. */
  @Optional()
  @IsBoolean()
  add_notification?: boolean;
}

export class SavedResponseDraftResponse {
  response_id!: string;
  conversation_id!: string;
  /** Whether it is queued for delivery. */
  scheduled_to_send!: boolean;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  scheduled_send_at!: string | null;
}
