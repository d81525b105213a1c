// What other contexts may use of files.
export { DraftFiles, type FilesOfDraft, requireFit } from './draft-files.js';
export { downloadOf } from './download.js';
export { FileResponse } from './files.dto.js';
export { FileStore } from './store/file-store.js';
export { StoredFiles } from './stored-files.js';
