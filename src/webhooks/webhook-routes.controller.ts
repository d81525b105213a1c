import { Body, Delete, Get, HttpCode, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { AsksOthers, ShowsSecret } from '#http/idempotency/kept-answer.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Versioned } from '#http/versions/versioned.js';
import { Directory } from '../workspace/workspace.contract.js';
import { TryWebhook } from './try-webhook.js';
import {
  ChangeWebhookBody,
  CreateWebhookBody,
  NewWebhookResponse,
  RotateWebhookSecretBody,
  WebhookListResponse,
  WebhookResponse,
  WebhookTestResponse,
} from './webhooks.dto.js';
import { Webhooks } from './webhooks.js';

/**
 * The routes of webhooks, for the controller of each surface to extend; writes have these problems besides. Each call makes a
 * class of its own: what a surface adds to a route, such as the `Idempotency-Key`, stays there.
 */
export function webhookRoutes(...ofWrites: number[]) {
  @ApiTags('Webhooks')
  @ApiProblems(400, 401, 404)
  abstract class WebhookRoutes {
    @Inject(Webhooks) private readonly webhooks!: Webhooks;
    @Inject(TryWebhook) private readonly trial!: TryWebhook;
    @Inject(Directory) private readonly directory!: Directory;

    /**
     * Have events of the organization sent to a URL, from now on.
     *
     * Each is posted as the event feed shows it, signed by the Standard Webhooks specification with the secret that is in
     * this answer only. An endpoint takes an event by answering 2xx within 15 s; otherwise it is tried again over three days.
     */
    @Post()
    @Versioned()
    @ApiProblems(...ofWrites)
    @ShowsSecret()
    create(
      @OrganizationId() organizationId: string,
      @Body() body: CreateWebhookBody,
      @Ctx() context: Context,
    ): Promise<NewWebhookResponse> {
      return this.in(organizationId, () => this.webhooks.create(context, organizationId, body));
    }

    /** List the webhooks of an organization, newest first, without their secrets. */
    @Get()
    list(@OrganizationId() organizationId: string): Promise<WebhookListResponse> {
      return this.in(organizationId, async () => ({ data: await this.webhooks.list(organizationId) }));
    }

    /** Show a webhook, without its secret. */
    @Get(':webhook_id')
    @Versioned()
    get(
      @OrganizationId() organizationId: string,
      @Param('webhook_id') webhookId: string,
    ): Promise<WebhookResponse> {
      return this.in(organizationId, () => this.webhooks.get(organizationId, webhookId));
    }

    /** Change where and what a webhook sends, pause it or resume it. */
    @Patch(':webhook_id')
    @Versioned()
    @ApiProblems(...ofWrites)
    change(
      @OrganizationId() organizationId: string,
      @Param('webhook_id') webhookId: string,
      @Body() body: ChangeWebhookBody,
      @Ctx() context: Context,
    ): Promise<WebhookResponse> {
      return this.in(organizationId, () => this.webhooks.change(context, organizationId, webhookId, body));
    }

    /** Remove a webhook with its log; what was not sent yet is not sent. */
    @Delete(':webhook_id')
    @ApiProblems(...ofWrites)
    @HttpCode(204)
    remove(
      @OrganizationId() organizationId: string,
      @Param('webhook_id') webhookId: string,
      @Ctx() context: Context,
    ): Promise<void> {
      return this.in(organizationId, () => this.webhooks.remove(context, organizationId, webhookId));
    }

    /** Give a webhook a new secret, which is in this answer only. For a while events are signed with both. */
    @Post(':webhook_id/rotate')
    @Versioned()
    @ApiProblems(...ofWrites)
    @HttpCode(200)
    @ShowsSecret()
    rotate(
      @OrganizationId() organizationId: string,
      @Param('webhook_id') webhookId: string,
      @Body() body: RotateWebhookSecretBody,
      @Ctx() context: Context,
    ): Promise<NewWebhookResponse> {
      return this.in(organizationId, () =>
        this.webhooks.rotate(context, organizationId, webhookId, body.overlap_seconds),
      );
    }

    /** Send an event of type `WebhookTest` at once, once, and tell what came of it. */
    @Post(':webhook_id/test')
    @ApiProblems(...ofWrites)
    @HttpCode(200)
    @AsksOthers()
    test(
      @OrganizationId() organizationId: string,
      @Param('webhook_id') webhookId: string,
      @Ctx() context: Context,
    ): Promise<WebhookTestResponse> {
      return this.in(organizationId, () => this.trial.run(context, webhookId));
    }

    private async in<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> {
      await this.directory.existingOrganization(organizationId);
      return work();
    }
  }

  return WebhookRoutes;
}
