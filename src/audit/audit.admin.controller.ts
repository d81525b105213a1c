import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FromReplica } from '#http/access/replica-reads.js';
import { type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { PublicUrl } from '#http/public-url.js';
import { ApiAuditPage, inWantedForm } from './audit-page.js';
import { AdminAuditLogResponse, ListAllAuditLogsQuery } from './audit.dto.js';
import { AuditQueries } from './audit.queries.js';
import { Directory } from '../workspace/workspace.contract.js';

@ApiTags('Administration')
@ApiSecurity('admin-key')
@ApiProblems(400, 401)
@Controller('admin/v1/audit-logs')
export class AuditAdminController {
  constructor(
    private readonly queries: AuditQueries,
    private readonly directory: Directory,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * List who changed what in any organization, the latest first.
   *
   * The same as the audit log of an organization, with the organization on each record.
   */
  @Get()
  @FromReplica()
  @ApiAuditPage(AdminAuditLogResponse)
  async list(
    @Query() query: ListAllAuditLogsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page<AdminAuditLogResponse> | string> {
    const page = await this.queries.listAll(query);
    return inWantedForm(page, { anywhere: true }, request, reply, this.publicUrl);
  }

  /** Show one change in any organization. */
  @Get(':audit_log_id')
  @ApiProblems(404)
  async get(@Param('audit_log_id') auditLogId: string): Promise<AdminAuditLogResponse> {
    const record = await this.queries.recordAmong(await this.directory.allOrganizationIds(), auditLogId);
    if (!record) throw notFound('audit_log', auditLogId);
    return record;
  }
}
