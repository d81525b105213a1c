import { Controller } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import { webhookRoutes } from './webhook-routes.controller.js';

/** Webhooks for operators. */
@ApiSecurity('admin-key')
@Controller('admin/v1/organizations/:organization_id/webhooks')
export class WebhooksAdminController extends webhookRoutes() {}
