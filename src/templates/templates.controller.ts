import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { Reads } from '#http/access/reads.js';
import { ApiPage, type Page, PageQuery } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { Versioned } from '#http/versions/versioned.js';
import { DeleteTemplate } from './delete-template.js';
import { RenderTemplate } from './render-template.js';
import { ChangeTemplate, CreateTemplate } from './save-template.js';
import {
  ChangeTemplateBody,
  CreateTemplateBody,
  RenderedTemplateResponse,
  RenderTemplateBody,
  TemplateResponse,
} from './templates.dto.js';
import { TemplatesQueries } from './templates.queries.js';

@ApiTags('Templates')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/templates')
export class TemplatesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: TemplatesQueries,
    private readonly rendering: RenderTemplate,
  ) {}

  /** List templates by name. */
  @Get()
  @ApiPage(TemplateResponse)
  list(@OrganizationId() organizationId: string, @Query() query: PageQuery): Promise<Page<TemplateResponse>> {
    return this.queries.list(organizationId, query);
  }

  /** Create a template, which drafts can name in place of a body. 400 names each placeholder that cannot be. */
  @Post()
  @Versioned()
  @ApiProblems(403)
  create(@Ctx() context: Context, @Body() body: CreateTemplateBody): Promise<TemplateResponse> {
    return this.commands.execute(new CreateTemplate(context, body));
  }

  /** Show one template. */
  @Get(':template_id')
  @Versioned()
  async get(
    @OrganizationId() organizationId: string,
    @Param('template_id') templateId: string,
  ): Promise<TemplateResponse> {
    const template = await this.queries.template(organizationId, templateId);
    if (!template) throw notFound('template', templateId);
    return template;
  }

  /** Change a template. Drafts that were made from it stay as they are. */
  @Patch(':template_id')
  @Versioned()
  @ApiProblems(403, 409)
  change(
    @Param('template_id') templateId: string,
    @Ctx() context: Context,
    @Body() body: ChangeTemplateBody,
  ): Promise<TemplateResponse> {
    return this.commands.execute(new ChangeTemplate(context, templateId, body));
  }

  /** Delete a template. Drafts that were made from it stay as they are. */
  @Delete(':template_id')
  @HttpCode(204)
  @ApiProblems(403)
  remove(@Param('template_id') templateId: string, @Ctx() context: Context): Promise<void> {
    return this.commands.execute(new DeleteTemplate(context, templateId));
  }

  /**
   * Show a template with its values, for a conversation or a contact.
   *
   * What has no value is empty, and listed in `missing`; a draft with the template would be refused. Keys that may only read can
   * ask, too: nothing is kept of it.
   */
  @Post(':template_id/render')
  @Reads()
  @ApiBody({ type: RenderTemplateBody, required: false })
  @HttpCode(200)
  render(
    @Param('template_id') templateId: string,
    @Ctx() context: Context,
    @Body() body: RenderTemplateBody,
  ): Promise<RenderedTemplateResponse> {
    return this.rendering.run(context, templateId, body);
  }
}
