import { Module } from '@nestjs/common';
import { AgentAnalyticsController } from './figures/agent-analytics.controller.js';
import { AnalyticsController } from './figures/analytics.controller.js';
import { AnalyticsQueries } from './figures/analytics.queries.js';
import { Explanations } from './figures/explain.js';
import { LegacyController } from './legacy/legacy.controller.js';
import { LegacyQueries } from './legacy/legacy.queries.js';
import { RecordsQueries } from './figures/records.queries.js';
import { Snapshots } from './figures/snapshot.queries.js';
import { AgentsFiguresQueries } from './series/agents-figures.queries.js';
import { SeriesController } from './series/series.controller.js';
import { SeriesQueries } from './series/series.queries.js';

/** Figures over windows of time, made from the events. */
@Module({
  controllers: [AnalyticsController, SeriesController, AgentAnalyticsController, LegacyController],
  providers: [
    Snapshots,
    AnalyticsQueries,
    SeriesQueries,
    AgentsFiguresQueries,
    Explanations,
    RecordsQueries,
    LegacyQueries,
  ],
})
export class AnalyticsModule {}
