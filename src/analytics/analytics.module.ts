import { Module } from '@nestjs/common';
import { AgentAnalyticsController } from './agent-analytics.controller.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsQueries } from './analytics.queries.js';
import { Explanations } from './explain.js';
import { LegacyController } from './legacy.controller.js';
import { LegacyQueries } from './legacy.queries.js';
import { RecordsQueries } from './records.queries.js';
import { Snapshots } from './snapshot.queries.js';

/** Figures over windows of time, made from the events. */
@Module({
  controllers: [AnalyticsController, AgentAnalyticsController, LegacyController],
  providers: [Snapshots, AnalyticsQueries, Explanations, RecordsQueries, LegacyQueries],
})
export class AnalyticsModule {}
