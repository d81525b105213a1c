import { ApiProperty } from '@nestjs/swagger';
import { ACTOR_TYPES } from '#kernel/context.js';
import { IntegerParameter, Optional, Text } from '#http/input/fields.js';

/** Longer than all event types together. */
const LONGEST_TYPES = 10_000;

export class ListEventsQuery {
  /**
   * Only events behind this position; `next_after` of the previous answer. From the beginning when left out. With
   * `Accept: text/event-stream` also `latest`: only what happens from now on.
   */
  @Optional()
  @Text()
  after?: string;

  /**
   * Only events before this position, the latest first; `next_before` of the previous answer, or `latest` to begin with
   * the end of the feed. In place of `after`, and not with `Accept: text/event-stream`; `wait` has no meaning then.
   */
  @Optional()
  @Text()
  before?: string;

  /** Number of events to return, 1 to 200; 50 when left out. */
  @Optional()
  @IntegerParameter(1, 200)
  limit?: number;

  /**
   * Only events of these types, separated by commas. With `MessageRecorded` and without `ConversationOpened`, the first message
   * of a conversation comes as a `MessageRecorded`, too. @example "ContactCreated,MessageRecorded"
   */
  @Optional()
  @Text(LONGEST_TYPES)
  types?: string;

  /** Only events of this record. */
  @Optional()
  @Text()
  record_id?: string;

  /** Seconds to wait for an event when there is none yet, 0 to 30; 0 when left out. */
  @Optional()
  @IntegerParameter(0, 30)
  @ApiProperty({ default: 0 })
  wait?: number;
}

export class EventStreamResponse {
  /** Kind of record. @example "contact" */
  type!: string;
  /** The record. @example "contact_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  id!: string;
  /** Version of the record after this event, without gaps from 1. */
  @ApiProperty({ type: 'integer' })
  version!: number;
}

export class EventActorResponse {
  @ApiProperty({ enum: ACTOR_TYPES })
  type!: string;
  @ApiProperty({ type: String, nullable: true })
  id!: string | null;
}

/** What is the same for all events. `data` and its schema go by `type`. */
export class EventResponse {
  /** @example "event_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  event_id!: string;
  /** Its place in the feed. Of fixed width; the order of positions as strings is the order of the feed. */
  position!: string;
  /** @example "ContactCreated" */
  type!: string;
  /** Version of the schema of `data`. */
  @ApiProperty({ type: 'integer' })
  version!: number;
  @ApiProperty({ format: 'date-time' })
  occurred_at!: string;
  stream!: EventStreamResponse;
  actor!: EventActorResponse;
  @ApiProperty({ type: String, nullable: true })
  request_id!: string | null;
  data!: object;
}

export class EventFeedResponse {
  /** In the order of the feed; with `before` in the opposite one. */
  @ApiProperty({ type: 'array', items: { $ref: '#/components/schemas/Event' } })
  data!: EventResponse[];
  /**
   * Give it as `after` to read on, also when there is nothing now; null while the feed is empty. With `before=latest` it is the
   * end of the feed, and null with another `before`.
   */
  @ApiProperty({ type: String, nullable: true })
  next_after!: string | null;
  /** Whether there is more to be read right now. With `types` a page may be empty and there is more all the same. */
  has_more!: boolean;
  /** With `before`: give it as `before` to read further back; null when there is nothing earlier. */
  @ApiProperty({ type: String, nullable: true })
  next_before?: string | null;
}
