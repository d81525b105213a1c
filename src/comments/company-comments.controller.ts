import { Controller } from '@nestjs/common';
import { recordCommentRoutes } from './record-comment-routes.controller.js';

@Controller('api/v2/organizations/:organization_id/companies/:company_id/comments')
export class CompanyCommentsController extends recordCommentRoutes('company') {}
