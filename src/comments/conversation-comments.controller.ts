import { Controller } from '@nestjs/common';
import { recordCommentRoutes } from './record-comment-routes.controller.js';

@Controller('api/v2/organizations/:organization_id/conversations/:conversation_id/comments')
export class ConversationCommentsController extends recordCommentRoutes('conversation') {}
