import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Optional, Text } from '#http/input/fields.js';
import { UpdatedPageQuery } from '#http/paging/page.dto.js';
import { STATUSES } from './delivery.js';

/** Of a draft that is not on its way and never failed. */
export const SAVED = 'saved';

export class ListDraftsQuery extends UpdatedPageQuery {
  /** Only drafts that are saved for review, or whose delivery has this status. */
  @Optional()
  @OneOf(SAVED, ...STATUSES)
  status?: string;
  /** Only drafts in this folder; a reply is in that of its conversation. */
  @Optional()
  @Text()
  folder?: string;
  /** Only drafts of this agent; of replies, those in conversations that the agent owns. */
  @Optional()
  @Text()
  agent_id?: string;
  /** `scheduled_send_at` lists only drafts that are to leave, what leaves first first. */
  @Optional()
  @OneOf('-created_at', 'scheduled_send_at')
  @ApiProperty({ default: '-created_at' })
  sort?: string;
}
