import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { DraftFiles } from './draft-files.js';
import { FilesController } from './files.controller.js';
import { FileQueries } from './files.queries.js';
import { DiskFileStore } from './store/disk-file-store.js';
import { FileStore } from './store/file-store.js';
import { S3FileStore } from './store/s3-file-store.js';
import { StoredFiles } from './stored-files.js';
import { UnusedFiles } from './unused-files.js';
import { UploadFileHandler } from './upload-file.js';

/** Files that drafts carry, and the store of all files: the bucket of the configuration, else a folder of the data directory. */
@Module({
  controllers: [FilesController],
  providers: [
    {
      provide: FileStore,
      inject: [CONFIG],
      useFactory: ({ dataDir, attachmentsS3 }: Config): FileStore =>
        attachmentsS3 ? new S3FileStore(attachmentsS3) : new DiskFileStore(join(dataDir, 'attachments')),
    },
    StoredFiles,
    FileQueries,
    DraftFiles,
    UnusedFiles,
    UploadFileHandler,
  ],
  exports: [FileStore, StoredFiles, DraftFiles],
})
export class FilesModule {}
