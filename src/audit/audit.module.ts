import { Module } from '@nestjs/common';
import { AuditAdminController } from './audit.admin.controller.js';
import { AuditController } from './audit.controller.js';
import { AuditQueries } from './audit.queries.js';
import { ChangesTimeline } from './changes-timeline.queries.js';

/** Who changed what, made from the events and written with them. */
@Module({ controllers: [AuditController, AuditAdminController], providers: [ChangesTimeline, AuditQueries] })
export class AuditModule {}
