import { type PublicForms, shownAs } from '#event-store/public-event.js';
import type { FileEvent } from './file.js';
import { FileAttachedData, FileDetachedData, FileRemovedData, FileUploadedData } from './files.events.dto.js';

export const fileEvents: PublicForms<FileEvent> = {
  FileUploaded: shownAs(FileUploadedData, 'A file was uploaded.', (data) => data),
  FileAttached: shownAs(FileAttachedData, 'A draft carries a file.', (data) => data),
  FileDetached: shownAs(
    FileDetachedData,
    'A draft carries a file no more: it was taken away, or the draft deleted.',
    (data) => data,
  ),
  FileRemoved: shownAs(FileRemovedData, 'A file that was in no draft for a day was removed.', () => ({})),
};
