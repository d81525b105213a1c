import { Controller } from '@nestjs/common';
import { recordCommentRoutes } from './record-comment-routes.controller.js';

const ROOT = 'api/v2/organizations/:organization_id';

@Controller(`${ROOT}/conversations/:conversation_id/comments`)
export class ConversationCommentsController extends recordCommentRoutes('conversation') {}

@Controller(`${ROOT}/contacts/:contact_id/comments`)
export class ContactCommentsController extends recordCommentRoutes('contact') {}

@Controller(`${ROOT}/companies/:company_id/comments`)
export class CompanyCommentsController extends recordCommentRoutes('company') {}

@Controller(`${ROOT}/sales/:sale_id/comments`)
export class SaleCommentsController extends recordCommentRoutes('sale') {}
