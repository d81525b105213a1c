import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { IdListField, Nested, Optional, rule } from '#http/input/fields.js';
import { ProblemResponse } from '#http/problems/problem.dto.js';
import { UpdateConversationBody } from '../conversations.dto.js';

/** Conversations changed at once. */
const MOST = 200;
/** Tags named at once. */
const MOST_TAGS = 50;

/** What is to become of each conversation. Fields left out stay as they are; no tag is in both lists. */
export class BulkChangesBody extends UpdateConversationBody {
  /** Tags to give to each. */
  @Optional()
  @IdListField('tag', MOST_TAGS)
  add_tag_ids?: string[];
  /** Tags to take away from each. */
  @Optional()
  @IdListField('tag', MOST_TAGS)
  remove_tag_ids?: string[];
}

export class ChangeConversationsBody {
  /** The conversations, each once. @example ["conv_01hzy3v7q4e8k9m2n5p6r7s8t9"] */
  @IsArray({ message: 'must be an array' })
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST)
  @IsString({ each: true })
  @rule(
    'eachOnce',
    (value) => !Array.isArray(value) || new Set(value).size === value.length,
    'must hold each conversation once',
  )
  @ApiProperty({ type: [String], minItems: 1, maxItems: MOST })
  conversation_ids!: string[];
  @Nested(() => BulkChangesBody)
  changes!: BulkChangesBody;
}

export class ChangedConversationResponse {
  conversation_id!: string;
  /** Whether it is now as was asked for. @example true */
  ok!: boolean;
  /** Why it is not. */
  problem?: ProblemResponse;
}

export class ChangedConversationsResponse {
  /** One for each conversation, in the order given. */
  results!: ChangedConversationResponse[];
}
