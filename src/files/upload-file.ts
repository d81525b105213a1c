import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import type { Upload } from '#http/input/upload.js';
import { invalid } from '#http/problems/problem.js';
import { isHiddenPage, typeDeclared } from './content-type.js';
import { file, type FileFacts } from './file.js';
import { FileQueries } from './files.queries.js';
import { files } from './files.projection.js';
import { bytesLock, StoredFiles } from './stored-files.js';

/** Keeps an uploaded file for drafts to carry. */
export class UploadFile extends Command<FileFacts> {
  constructor(
    readonly context: Context,
    readonly file_name: string,
    readonly upload: Upload,
  ) {
    super();
  }
}

@CommandHandler(UploadFile)
export class UploadFileHandler implements ICommandHandler<UploadFile> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: FileQueries,
    private readonly stored: StoredFiles,
  ) {}

  async execute({ context, file_name, upload }: UploadFile): Promise<FileFacts> {
    const { organizationId } = context;
    const { sha256, size } = upload.bytes;
    const content_type = typeDeclared(upload.content_type);
    if (await isHiddenPage(upload.bytes, content_type))
      throw invalid([
        { field: 'content_type', detail: `is ${content_type}, but by its bytes the file is a page` },
      ]);
    const facts = { file_id: newId('file'), file_name, content_type, size, sha256, created_at: now() };
    await this.stored.keep(organizationId, upload.bytes);
    await this.store.exclusively(organizationId, [bytesLock(sha256)], async (tx) => {
      // The last other file with these bytes may have been removed since, and the bytes with it. Asked under the lock.
      if (!(await this.queries.hasTwin(tx, organizationId, facts)))
        await this.stored.keep(organizationId, upload.bytes);
      const events = file.decide(null, { type: 'UploadFile', ...facts });
      await this.store.appendIn(tx, context, [appendTo(files, facts.file_id, NEW, events)]);
    });
    return facts;
  }
}
