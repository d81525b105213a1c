import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { Metrics } from './metrics.js';
import { MetricsController } from './metrics.controller.js';
import { Readiness } from './readiness.js';
import { OperationsQueries } from './operations.queries.js';

/** What operators watch. */
@Module({
  controllers: [HealthController, MetricsController],
  providers: [OperationsQueries, Metrics, Readiness],
  exports: [Metrics],
})
export class OperationsModule {}
