import { Controller } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import { deliveryRoutes } from './delivery-routes.controller.js';

/** Deliveries to webhooks for those who have a key of the organization. */
@ApiSecurity('api-key')
@Controller('api/v2/organizations/:organization_id/webhooks/:webhook_id/deliveries')
export class WebhookDeliveriesController extends deliveryRoutes(403) {}
