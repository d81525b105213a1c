import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditQueries } from './audit.queries.js';

/** Who changed what, made from the events and written with them. */
@Module({ controllers: [AuditController], providers: [AuditQueries] })
export class AuditModule {}
