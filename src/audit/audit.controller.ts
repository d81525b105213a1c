import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { OrganizationId } from '#http/access/caller.js';
import { ApiPage, type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { notFound } from '#http/problems/problem.js';
import { AuditLogResponse, ListAuditLogsQuery } from './audit.dto.js';
import { AuditQueries } from './audit.queries.js';

@ApiTags('Audit log')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/audit-logs')
export class AuditController {
  constructor(private readonly queries: AuditQueries) {}

  /** List the changes of sales, conversations and drafts, the latest first. */
  @Get()
  @ApiPage(AuditLogResponse)
  list(
    @OrganizationId() organizationId: string,
    @Query() query: ListAuditLogsQuery,
  ): Promise<Page<AuditLogResponse>> {
    return this.queries.list(organizationId, query);
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
