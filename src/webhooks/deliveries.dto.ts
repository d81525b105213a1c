import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Optional, Text } from '#http/input/fields.js';
import { DatedPageQuery } from '#http/paging/page.dto.js';
import { TRIED } from './retries.js';

const STATUSES = ['pending', ...TRIED];

export class ListWebhookDeliveriesQuery extends DatedPageQuery {
  /** Only deliveries with this status. */
  @Optional()
  @OneOf(...STATUSES)
  status?: string;

  /** Only the delivery of this event. */
  @Optional()
  @Text()
  event_id?: string;
}

export class WebhookDeliveryResponse {
  /** An event on its way to the webhook. */
  delivery_id!: string;
  /** The webhook. */
  webhook_id!: string;
  /** The event; it is the `webhook-id` of every try. */
  event_id!: string;
  /** Type of the event. @example "MessageRecorded" */
  type!: string;
  /** `pending`: not tried yet; `retrying`: tried in vain, and tried again; `failed`: given up. */
  @ApiProperty({ enum: STATUSES })
  status!: string;
  /** How often it was tried. */
  @ApiProperty({ type: 'integer' })
  attempts!: number;
  /** When it was last tried. */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  last_attempt_at!: string | null;
  /** Status that the endpoint answered last; null when it did not answer. @example 200 */
  @ApiProperty({ type: 'integer', nullable: true })
  last_status_code!: number | null;
  /** Why the last try did not succeed. */
  @ApiProperty({ type: String, nullable: true })
  last_error!: string | null;
  /** Milliseconds that the last try took. @example 87 */
  @ApiProperty({ type: 'integer', nullable: true })
  duration_ms!: number | null;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_attempt_at!: string | null;
  /** When the endpoint took it. */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  delivered_at!: string | null;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}
