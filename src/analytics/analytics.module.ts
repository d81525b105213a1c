import { Module } from '@nestjs/common';
import { AgentAnalyticsController } from './agent-analytics.controller.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsQueries } from './analytics.queries.js';
import { LegacyController } from './legacy.controller.js';
import { LegacyQueries } from './legacy.queries.js';
import { Snapshots } from './snapshot.queries.js';

/** Figures over windows of time, made from the events. */
@Module({
  controllers: [AnalyticsController, AgentAnalyticsController, LegacyController],
  providers: [Snapshots, AnalyticsQueries, LegacyQueries],
})
export class AnalyticsModule {}
