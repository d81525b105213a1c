import { Controller, Get, Query } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { OrganizationId } from '#http/access/caller.js';
import { ApiPage, type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Search } from './search.js';
import { SearchQuery, SearchResultResponse } from './search.dto.js';

@ApiTags('Search')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/search')
export class SearchController {
  constructor(private readonly search: Search) {}

  /**
   * Find contacts, companies, conversations, messages, drafts, sales and tasks by their words.
   *
   * The newest 500 hits come first: those with all words in their title or name before the others, the newest first among
   * equals; then the next 500. What was just written is found within two seconds.
   */
  @Get()
  @ApiPage(SearchResultResponse)
  find(
    @OrganizationId() organizationId: string,
    @Query() query: SearchQuery,
  ): Promise<Page<SearchResultResponse>> {
    return this.search.find(organizationId, query);
  }
}
