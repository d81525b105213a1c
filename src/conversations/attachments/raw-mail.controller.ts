import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { OrganizationId } from '#http/access/caller.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Problem } from '#http/problems/problem.js';
import { MessageQueries } from '../messages.queries.js';
import { AttachmentFiles } from './attachment-files.js';

const OK = {
  description: 'The mail.',
  content: { 'message/rfc822': { schema: { type: 'string', format: 'binary' } } },
} as const;

@ApiTags('Messages')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@ApiProduces('message/rfc822')
@Controller('api/v2/organizations/:organization_id')
export class RawMailController {
  constructor(
    private readonly queries: MessageQueries,
    private readonly files: AttachmentFiles,
  ) {}

  /** Download the mail that a message came as, byte for byte. 404 `no_raw_message` for what was no mail. */
  @Get('messages/:message_id/raw')
  @ApiOkResponse(OK)
  raw(
    @OrganizationId() organizationId: string,
    @Param('message_id') messageId: string,
  ): Promise<StreamableFile> {
    return this.mail(organizationId, messageId, null);
  }

  /** Download the mail that a message of this conversation came as, byte for byte. */
  @Get('conversations/:conversation_id/messages/:message_id/raw')
  @ApiOkResponse(OK)
  rawOfConversation(
    @OrganizationId() organizationId: string,
    @Param('conversation_id') conversationId: string,
    @Param('message_id') messageId: string,
  ): Promise<StreamableFile> {
    return this.mail(organizationId, messageId, conversationId);
  }

  private async mail(
    organizationId: string,
    messageId: string,
    conversationId: string | null,
  ): Promise<StreamableFile> {
    const raw = await this.queries.rawOf(organizationId, messageId, conversationId);
    const bytes = raw && (await this.files.read(organizationId, raw));
    if (!bytes)
      throw new Problem(
        404,
        'no_raw_message',
        `The message ${messageId} has no mail: it did not come as one.`,
      );
    return new StreamableFile(bytes, {
      type: 'message/rfc822',
      disposition: `attachment; filename="${messageId}.eml"`,
      length: raw.size,
    });
  }
}
