import { Module } from '@nestjs/common';
import { AuditAdminController } from './audit.admin.controller.js';
import { AuditController } from './audit.controller.js';
import { AuditQueries } from './audit.queries.js';

/** Who changed what, made from the events and written with them. */
@Module({ controllers: [AuditController, AuditAdminController], providers: [AuditQueries] })
export class AuditModule {}
