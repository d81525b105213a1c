import { Controller } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import { webhookRoutes } from './webhook-routes.controller.js';

/** Webhooks for those who have a key of the organization. */
@ApiSecurity('api-key')
@Controller('api/v2/organizations/:organization_id/webhooks')
export class WebhooksController extends webhookRoutes(403) {}
