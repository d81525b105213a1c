import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiPage, DatedPageQuery, type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { invalid } from '#http/problems/problem.js';
import { AddSuppression } from './add-suppression.js';
import { RemoveSuppression } from './remove-suppression.js';
import { AddSuppressionBody, SuppressionResponse } from './suppressions.dto.js';
import type { Address } from './suppressions.js';
import { SuppressionQueries } from './suppressions.queries.js';

@ApiTags('Suppressions')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/suppressions')
export class SuppressionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: SuppressionQueries,
  ) {}

  /** List the addresses and numbers that nothing more is sent to, newest first. */
  @Get()
  @ApiPage(SuppressionResponse)
  list(
    @OrganizationId() organizationId: string,
    @Query() query: DatedPageQuery,
  ): Promise<Page<SuppressionResponse>> {
    return this.queries.list(organizationId, query);
  }

  /**
   * Suppress an address or number: first messages are not sent to it, and replies neither if it bounced.
   *
   * One that is suppressed already is left as it is, and answered with 200.
   */
  @Post()
  @ApiProblems(403)
  @ApiCreatedResponse({ type: SuppressionResponse })
  @ApiOkResponse({ type: SuppressionResponse, description: 'It was suppressed already.' })
  async add(
    @Ctx() context: Context,
    @Body() body: AddSuppressionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SuppressionResponse> {
    const { suppression, created } = await this.commands.execute(
      new AddSuppression(context, addressIn(body), body.reason ?? 'manual'),
    );
    void reply.status(created ? 201 : 200);
    return suppression;
  }

  /** Let an address or number be sent to again. */
  @Delete(':suppression_id')
  @HttpCode(204)
  @ApiProblems(403)
  remove(@Param('suppression_id') suppressionId: string, @Ctx() context: Context): Promise<void> {
    return this.commands.execute(new RemoveSuppression(context, suppressionId));
  }
}

function addressIn({ email = '', phone_number = '' }: AddSuppressionBody): Address {
  if ((email === '') === (phone_number === '')) {
    const detail = 'exactly one of email and phone_number must be given';
    throw invalid([{ field: 'email', detail }]);
  }
  return email === '' ? { phone_number } : { email };
}
