import { Body, Controller, Delete, Get, HttpCode, Param, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { notFound } from '#http/problems/problem.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Versioned } from '#http/versions/versioned.js';
import { ChangeComment } from './change-comment.js';
import { ChangeCommentBody, CommentResponse } from './comments.dto.js';
import { CommentQueries } from './comments.queries.js';
import { DeleteComment } from './delete-comment.js';

@ApiTags('Comments')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/comments')
export class CommentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: CommentQueries,
  ) {}

  /** Show one comment. */
  @Get(':comment_id')
  @Versioned()
  async get(
    @OrganizationId() organizationId: string,
    @Param('comment_id') commentId: string,
  ): Promise<CommentResponse> {
    const comment = await this.queries.comment(organizationId, commentId);
    if (!comment) throw notFound('comment', commentId);
    return comment;
  }

  /** Edit a comment: by the agent who wrote it, or with a key that is no agent's. Else 403 `not_your_comment`. */
  @Patch(':comment_id')
  @Versioned()
  @ApiProblems(403, 409)
  change(
    @Param('comment_id') commentId: string,
    @Ctx() context: Context,
    @Body() body: ChangeCommentBody,
  ): Promise<CommentResponse> {
    return this.commands.execute(new ChangeComment(context, commentId, body));
  }

  /** Delete a comment: by the agent who wrote it, or with a key that is no agent's. Else 403 `not_your_comment`. */
  @Delete(':comment_id')
  @HttpCode(204)
  @ApiProblems(403)
  remove(@Param('comment_id') commentId: string, @Ctx() context: Context): Promise<void> {
    return this.commands.execute(new DeleteComment(context, commentId));
  }
}
