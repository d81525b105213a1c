import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { RecordTagResponse, TagResponse } from './tags.dto.js';

// The data of public events. Schemas are named after these classes.

export class TagCreatedData extends TagResponse {}

/** What changed; fields left out stayed as they were. */
export class TagChangedData extends PartialType(OmitType(TagResponse, ['tag_id', 'created_at'] as const)) {}

export class TagDeletedData {}

/** What became of the tags of a record. */
export class TagsChangedData {
  /** Tags that it has from now on. */
  @ApiProperty({ type: [RecordTagResponse] })
  added!: RecordTagResponse[];
  /** Tags that it has no more: taken away, or deleted. */
  @ApiProperty({ type: [RecordTagResponse] })
  removed!: RecordTagResponse[];
  /** Tags of it that have another name or colour from now on. */
  @ApiProperty({ type: [RecordTagResponse] })
  changed!: RecordTagResponse[];
}
