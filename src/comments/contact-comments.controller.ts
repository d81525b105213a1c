import { Controller } from '@nestjs/common';
import { recordCommentRoutes } from './record-comment-routes.controller.js';

@Controller('api/v2/organizations/:organization_id/contacts/:contact_id/comments')
export class ContactCommentsController extends recordCommentRoutes('contact') {}
