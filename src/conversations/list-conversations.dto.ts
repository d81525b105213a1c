import { ApiProperty } from '@nestjs/swagger';
import { BooleanParameter, OneOf, Optional, Text, WordsParameter } from '#http/input/fields.js';
import { IdsParameter } from '#http/input/ids-parameter.js';
import { UpdatedPageQuery } from '#http/paging/page.dto.js';
import { STATUSES } from './status.js';

export class ListConversationsQuery extends UpdatedPageQuery {
  /** Only conversations in this folder. */
  @Optional()
  @Text()
  folder?: string;
  /** Only conversations that are read, or with false only those that are not. */
  @Optional()
  @BooleanParameter()
  is_read?: boolean;
  /** Only conversations of this agent, or with `none` only those that nobody owns. */
  @Optional()
  @Text()
  agent_id?: string;
  /** Only conversations with this contact. */
  @Optional()
  @Text()
  contact_id?: string;
  /** Only conversations with contacts of this company. */
  @Optional()
  @Text()
  company_id?: string;
  /** Only conversations whose latest message came or went by this channel. */
  @Optional()
  @Text()
  modality?: string;
  /** Only conversations in which somebody waits for an answer, or with false only the others. */
  @Optional()
  @BooleanParameter()
  waiting?: boolean;
  /** Only conversations with a response draft that is not sent yet, or with false only the others. */
  @Optional()
  @BooleanParameter()
  has_draft?: boolean;
  /** Only conversations with one of these statuses. */
  @Optional()
  @WordsParameter(...STATUSES)
  status?: string[];
  /** Only conversations with this tag, or with all of them. May be given several times, or with ids separated by commas. */
  @Optional()
  @IdsParameter()
  tag_id?: string[];
  /** `last_activity_at` begins with the oldest; `waiting_since` lists only those that wait, who waits longest first. */
  @Optional()
  @OneOf('-last_activity_at', 'last_activity_at', 'waiting_since')
  @ApiProperty({ default: '-last_activity_at' })
  sort?: string;
}
