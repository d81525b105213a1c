import { Controller, Get, Param, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { OrganizationId } from '#http/access/caller.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { downloadOf } from '../../files/files.contract.js';
import { AttachmentFiles } from './attachment-files.js';
import { MessageQueries } from '../messages.queries.js';

@ApiTags('Messages')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/conversations/:conversation_id/messages/:message_id')
export class AttachmentsController {
  constructor(
    private readonly queries: MessageQueries,
    private readonly files: AttachmentFiles,
  ) {}

  /** Download a file that came with a message. What a browser might run is given as application/octet-stream. */
  @Get('attachments/:attachment_id')
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({
    description: 'The bytes, as its sender sent them.',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  async download(
    @OrganizationId() organizationId: string,
    @Param('conversation_id') conversationId: string,
    @Param('message_id') messageId: string,
    @Param('attachment_id') attachmentId: string,
  ): Promise<StreamableFile> {
    const attachment = await this.queries.existingAttachment(
      organizationId,
      conversationId,
      messageId,
      attachmentId,
    );
    const bytes = await this.files.read(organizationId, attachment);
    if (!bytes) throw notFound('attachment', attachmentId);
    const { file_name, content_type, size } = attachment;
    return downloadOf(bytes, { name: file_name ?? 'attachment', type: content_type, size });
  }
}
