import { Controller } from '@nestjs/common';
import { recordCommentRoutes } from './record-comment-routes.controller.js';

@Controller('api/v2/organizations/:organization_id/sales/:sale_id/comments')
export class SaleCommentsController extends recordCommentRoutes('sale') {}
