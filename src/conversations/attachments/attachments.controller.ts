import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { OrganizationId } from '#http/access/caller.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { AttachmentFiles } from './attachment-files.js';
import { ConversationQueries } from '../conversations.queries.js';

/** Types that a browser would run or show as a page of ours. Programs of their own show all others. */
const ACTIVE =
  /^(?:text\/(?!plain$|csv$|calendar$|vcard$)|message\/|multipart\/|.*(?:xml|html|svg|script|ecma|flash|xap|java))/;

@ApiTags('Messages')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/conversations/:conversation_id/messages/:message_id')
export class AttachmentsController {
  constructor(
    private readonly queries: ConversationQueries,
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
    const { attachments } = await this.queries.existingMessage(organizationId, conversationId, messageId);
    const attachment = attachments.find(({ attachment_id }) => attachment_id === attachmentId);
    const bytes = attachment && (await this.files.read(organizationId, attachment));
    if (!attachment || !bytes) throw notFound('attachment', attachmentId);
    return new StreamableFile(bytes, {
      type: ACTIVE.test(attachment.content_type) ? 'application/octet-stream' : attachment.content_type,
      disposition: dispositionOf(attachment.file_name ?? 'attachment'),
      length: attachment.size,
    });
  }
}

/** `attachment` with the name twice: as ASCII for old programs, as UTF-8 for the others (RFC 6266, RFC 8187). */
function dispositionOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
