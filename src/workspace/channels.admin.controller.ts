import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiSecurity, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import {
  ChannelListResponse,
  ChannelResponse,
  ChannelValidationResponse,
  EmailChannelBody,
  LiveChatChannelBody,
  TextChannelBody,
} from './channel.dto.js';
import { ChannelSetup } from './channel-setup.js';
import { Directory } from './workspace.directory.js';

@ApiTags('Administration')
@ApiSecurity('admin-key')
@ApiProblems(400, 401, 404)
@ApiExtraModels(EmailChannelBody, TextChannelBody, LiveChatChannelBody)
@Controller('admin/v1/organizations/:organization_id/channels')
export class ChannelsAdminController {
  constructor(
    private readonly channels: ChannelSetup,
    private readonly directory: Directory,
  ) {}

  /** List the channels of an organization, never their secrets. */
  @Get()
  async list(@OrganizationId() organizationId: string): Promise<ChannelListResponse> {
    await this.directory.existingOrganization(organizationId);
    return { data: await this.channels.list(organizationId) };
  }

  /** Set up the organization's channel for a modality (email, text or live_chat), or replace it. */
  @Put(':modality')
  @ApiBody({
    schema: {
      oneOf: [EmailChannelBody, TextChannelBody, LiveChatChannelBody].map((body) => ({
        $ref: getSchemaPath(body),
      })),
    },
  })
  async put(
    @Ctx() context: Context,
    @OrganizationId() organizationId: string,
    @Param('modality') modality: string,
    @Body() body: unknown,
  ): Promise<ChannelResponse> {
    await this.directory.existingOrganization(organizationId);
    return this.channels.put(context, organizationId, modality, body);
  }

  /** Show a channel with its inbound URLs, never its secrets. */
  @Get(':modality')
  async get(
    @OrganizationId() organizationId: string,
    @Param('modality') modality: string,
  ): Promise<ChannelResponse> {
    await this.directory.existingOrganization(organizationId);
    return this.channels.get(organizationId, modality);
  }

  /** Remove a channel; its inbound URLs stop working. */
  @Delete(':modality')
  @HttpCode(204)
  async remove(
    @Ctx() context: Context,
    @OrganizationId() organizationId: string,
    @Param('modality') modality: string,
  ): Promise<void> {
    await this.directory.existingOrganization(organizationId);
    return this.channels.remove(context, organizationId, modality);
  }

  /** Try the credentials with the provider. */
  @Post(':modality/validate')
  @HttpCode(200)
  async validate(
    @OrganizationId() organizationId: string,
    @Param('modality') modality: string,
  ): Promise<ChannelValidationResponse> {
    await this.directory.existingOrganization(organizationId);
    return this.channels.validate(organizationId, modality);
  }
}
