import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiPage, type Page, PageQuery } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { Versioned } from '#http/versions/versioned.js';
import { CreateTag } from './create-tag.js';
import { DeleteTag } from './delete-tag.js';
import { CreateTagBody, TagResponse, UpdateTagBody } from './tags.dto.js';
import { TagQueries } from './tags.queries.js';
import { UpdateTag } from './update-tag.js';

@ApiTags('Tags')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/tags')
export class TagsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: TagQueries,
  ) {}

  /** List tags by name. */
  @Get()
  @ApiPage(TagResponse)
  list(@OrganizationId() organizationId: string, @Query() query: PageQuery): Promise<Page<TagResponse>> {
    return this.queries.list(organizationId, query);
  }

  /** Create a tag. 409 where another has the name, and where there are 1,000 already. */
  @Post()
  @Versioned()
  @ApiProblems(403, 409)
  create(@Ctx() context: Context, @Body() body: CreateTagBody): Promise<TagResponse> {
    return this.commands.execute(new CreateTag(context, body));
  }

  /** Show one tag. */
  @Get(':tag_id')
  @Versioned()
  async get(@OrganizationId() organizationId: string, @Param('tag_id') tagId: string): Promise<TagResponse> {
    const tag = await this.queries.tag(organizationId, tagId);
    if (!tag) throw notFound('tag', tagId);
    return tag;
  }

  /**
   * Give a tag another name or colour. Every record that has it shows it so at once.
   *
   * It is a change of those records, too: of up to 1,000 of them at once, of the others within moments.
   */
  @Patch(':tag_id')
  @Versioned()
  @ApiProblems(403, 409)
  update(
    @Param('tag_id') tagId: string,
    @Ctx() context: Context,
    @Body() body: UpdateTagBody,
  ): Promise<TagResponse> {
    return this.commands.execute(new UpdateTag(context, tagId, body));
  }

  /** Delete a tag. No record shows it any more. */
  @Delete(':tag_id')
  @HttpCode(204)
  @ApiProblems(403)
  remove(@Param('tag_id') tagId: string, @Ctx() context: Context): Promise<void> {
    return this.commands.execute(new DeleteTag(context, tagId));
  }
}
