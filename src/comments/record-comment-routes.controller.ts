import { Body, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { isId } from '#kernel/id.js';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiPage, DatedPageQuery, type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Versioned } from '#http/versions/versioned.js';
import { AddComment } from './add-comment.js';
import type { Commented } from './comment.js';
import { CommentedRecords, kindOf } from './commented-records.js';
import { AddCommentBody, CommentResponse } from './comments.dto.js';
import { CommentQueries } from './comments.queries.js';

/** The routes of comments on records of one type, for a controller to extend. */
export function recordCommentRoutes(type: Commented) {
  const ID = `${type}_id`;

  @ApiTags('Comments')
  @ApiSecurity('api-key')
  @ApiProblems(400, 401, 404)
  abstract class RecordCommentRoutes {
    @Inject(CommandBus) private readonly commands!: CommandBus;
    @Inject(CommentQueries) private readonly queries!: CommentQueries;
    @Inject(CommentedRecords) private readonly records!: CommentedRecords;

    /** List the comments on a record, newest first. */
    @Get()
    @ApiPage(CommentResponse)
    async list(
      @OrganizationId() organizationId: string,
      @Param(ID) id: string,
      @Query() query: DatedPageQuery,
    ): Promise<Page<CommentResponse>> {
      if (!isId(kindOf(type), id)) throw await this.records.missing(organizationId, { type, id });
      const page = await this.queries.list(organizationId, id, query);
      if (page.data.length === 0) await this.records.require(organizationId, { type, id });
      return page;
    }

    /**
     * Comment on a record.
     *
     * The comment is the agent's whom the key is bound to. Agents whom it mentions are told by e-mail, through the organization's channel,
     * that there is a comment for them, and where; it says nothing of its text. Comments are for colleagues only: no message has
     * anything of them.
     */
    @Post()
    @Versioned()
    @ApiProblems(403)
    add(
      @Param(ID) id: string,
      @Ctx() context: Context,
      @Body() body: AddCommentBody,
    ): Promise<CommentResponse> {
      return this.commands.execute(new AddComment(context, { type, id }, body));
    }
  }
  return RecordCommentRoutes;
}
