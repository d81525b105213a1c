import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiConsumes, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { systemContext } from '#kernel/context.js';
import { FORM_TYPES } from '#http/input/form-body.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { AddSuppression } from './add-suppression.js';
import { ASKING, DONE, PAGE_HEADERS, page } from './unsubscribe-page.js';
import { UnsubscribeLinks, type Unsubscription } from './unsubscribe-links.js';

const HTML = { 'text/html': { schema: { type: 'string' } } };

@ApiTags('Unsubscribing')
@ApiProblems(400, 404)
@Controller('u')
export class UnsubscribeController {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly commands: CommandBus,
  ) {}

  /** Ask whether to unsubscribe: a page with a button. Changes nothing, as programs follow links before people do. */
  @Get(':token')
  @ApiOkResponse({ description: 'A page with a button.', content: HTML })
  ask(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): string {
    const { email } = this.opened(token);
    void reply.headers(PAGE_HEADERS);
    return page(ASKING, email);
  }

  /**
   * Unsubscribe: first messages are not sent to the address any more.
   *
   * What mail programs post for their users (RFC 8058), and the page's button. The body is not read, whatever its type.
   */
  @Post(':token')
  @HttpCode(200)
  @ApiConsumes(...FORM_TYPES)
  @ApiOkResponse({ description: 'The address is suppressed, now or before.', content: HTML })
  async unsubscribe(
    @Param('token') token: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { organizationId, email } = this.opened(token);
    const context = systemContext(organizationId);
    await this.commands.execute(new AddSuppression(context, { email }, 'unsubscribed'));
    void reply.headers(PAGE_HEADERS);
    return page(DONE, email);
  }

  private opened(token: string): Unsubscription {
    const found = this.links.read(token);
    if (found) return found;
    throw notFound('unsubscribe_link', token);
  }
}
