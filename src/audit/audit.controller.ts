import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OrganizationId } from '#http/access/caller.js';
import { type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { PublicUrl } from '#http/public-url.js';
import { ApiAuditPage, inWantedForm } from './audit-page.js';
import { AuditLogResponse, ListAuditLogsQuery } from './audit.dto.js';
import { AuditQueries } from './audit.queries.js';

@ApiTags('Audit log')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/audit-logs')
export class AuditController {
  constructor(
    private readonly queries: AuditQueries,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * List who changed what, the latest first.
   *
   * Shows changes of sales, conversations and drafts, and with `record_type` those of other records. With `Accept: text/csv` the page is
   * CSV, one row a change, and the header `Link` leads to the next page.
   */
  @Get()
  @ApiAuditPage(AuditLogResponse)
  async list(
    @OrganizationId() organizationId: string,
    @Query() query: ListAuditLogsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page<AuditLogResponse> | string> {
    const page = await this.queries.list(organizationId, query);
    return inWantedForm(page, { anywhere: false }, request, reply, this.publicUrl);
  }

  /** Show one change. */
  @Get(':audit_log_id')
  async get(
    @OrganizationId() organizationId: string,
    @Param('audit_log_id') auditLogId: string,
  ): Promise<AuditLogResponse> {
    const record = await this.queries.record(organizationId, auditLogId);
    if (!record) throw notFound('audit_log', auditLogId);
    return record;
  }
}
