import { Controller } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import { deliveryRoutes } from './delivery-routes.controller.js';

/** Deliveries to webhooks for operators. */
@ApiSecurity('admin-key')
@Controller('admin/v1/organizations/:organization_id/webhooks/:webhook_id/deliveries')
export class WebhookDeliveriesAdminController extends deliveryRoutes() {}
