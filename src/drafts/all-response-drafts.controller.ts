import { Controller, Get, Query } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { OrganizationId } from '#http/access/caller.js';
import { ApiPage, type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { ResponseDraftResponse } from './drafts.dto.js';
import { DraftQueries } from './drafts.queries.js';
import { ListDraftsQuery } from './list-drafts.dto.js';
import { shownResponse } from './shown-draft.js';

@ApiTags('Response drafts')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/response-drafts')
export class AllResponseDraftsController {
  constructor(private readonly queries: DraftQueries) {}

  /** List the response drafts of all conversations that are not sent yet, newest first, or in the order in which they leave. */
  @Get()
  @ApiPage(ResponseDraftResponse)
  async list(
    @OrganizationId() organizationId: string,
    @Query() query: ListDraftsQuery,
  ): Promise<Page<ResponseDraftResponse>> {
    const page = await this.queries.listResponseDrafts(organizationId, query);
    return { ...page, data: page.data.map(shownResponse) };
  }
}
