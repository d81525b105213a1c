import type { Aggregate } from '#event-store/aggregate.js';
import { file, type FileEvent, type UploadedFile } from './file.js';

export const files: Aggregate<UploadedFile, FileEvent> = {
  streamType: 'file',
  evolve: file.evolve,
  row: {
    table: 'file',
    key: 'file_id',
    columns: [
      'file_id',
      'file_name',
      'content_type',
      'size',
      'sha256',
      'created_at',
      'draft_ids',
      'unused_since',
    ],
  },
};
