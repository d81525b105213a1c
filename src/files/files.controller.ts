import { Body, Controller, Get, Param, Post, Query, type StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiProduces,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { readInput } from '#http/input/input.js';
import { LARGEST_FILE, Upload } from '#http/input/upload.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { invalid, notFound } from '#http/problems/problem.js';
import { downloadOf } from './download.js';
import { FileName, FileResponse, UploadQuery } from './files.dto.js';
import { FileQueries } from './files.queries.js';
import { StoredFiles } from './stored-files.js';
import { UploadFile } from './upload-file.js';

const BYTES = { type: 'string', format: 'binary' } as const;

@ApiTags('Files')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/files')
export class FilesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: FileQueries,
    private readonly stored: StoredFiles,
  ) {}

  /**
   * Upload a file for drafts to carry: its bytes, at most 20 MiB, under their own Content-Type, or a form with that file alone.
   *
   * A file that is in no draft is removed after 24 hours.
   */
  @Post()
  @ApiConsumes('application/octet-stream', 'multipart/form-data')
  @ApiBody({
    description: 'The bytes, of any type; or a form that has the file alone.',
    schema: { ...BYTES, maxLength: LARGEST_FILE },
  })
  @ApiCreatedResponse({ type: FileResponse })
  @ApiProblems(403, 413)
  async upload(
    @Ctx() context: Context,
    @Query() query: UploadQuery,
    @Body() upload: unknown,
  ): Promise<FileResponse> {
    if (!(upload instanceof Upload) || upload.bytes.size === 0)
      throw invalid([{ field: 'body', detail: 'must be the bytes of the file, and is empty' }]);
    const { file_name } = readInput(FileName, {
      file_name: query.file_name ?? upload.file_name ?? undefined,
    });
    return this.commands.execute(new UploadFile(context, file_name, upload));
  }

  /** Download a file. What a browser might run is given as application/octet-stream. */
  @Get(':file_id')
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ description: 'The bytes.', content: { 'application/octet-stream': { schema: BYTES } } })
  async download(
    @OrganizationId() organizationId: string,
    @Param('file_id') fileId: string,
  ): Promise<StreamableFile> {
    const file = await this.queries.file(organizationId, fileId);
    const bytes = file && (await this.stored.read(organizationId, file.sha256));
    if (!file || !bytes) throw notFound('file', fileId);
    return downloadOf(bytes, { name: file.file_name, type: file.content_type, size: file.size });
  }
}
