import { ApiProperty } from '@nestjs/swagger';
import { FileResponse } from './files.dto.js';

// The data of public events. Schemas are named after these classes.

export class FileUploadedData extends FileResponse {}

export class FileAttachedData {
  /** The draft, of either kind. */
  draft_id!: string;
}

export class FileDetachedData extends FileAttachedData {
  /** When the draft let it go. */
  @ApiProperty({ format: 'date-time' })
  detached_at!: string;
}

export class FileRemovedData {}
