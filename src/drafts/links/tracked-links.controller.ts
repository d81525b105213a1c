import { Controller, Get, Param } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { OrganizationId } from '#http/access/caller.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { LinkClicks, shownLink, TrackedLinkResponse } from '../../conversations/conversations.contract.js';
import { DraftQueries } from '../drafts.queries.js';

@ApiTags('Tracked links')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/tracked-links')
export class TrackedLinksController {
  constructor(
    private readonly drafts: DraftQueries,
    private readonly clicks: LinkClicks,
  ) {}

  /** Show one tracked link, whichever message it is in. */
  @Get(':link_id')
  async get(
    @OrganizationId() organizationId: string,
    @Param('link_id') link_id: string,
  ): Promise<TrackedLinkResponse> {
    const link = await this.drafts.ownLink(organizationId, link_id);
    if (!link) throw notFound('tracked_link', link_id);
    const shown = { link_id, url: link.url };
    return shownLink(shown, await this.clicks.of(organizationId, [shown]));
  }
}
