import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Metrics } from './metrics.js';

@ApiTags('Health')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /** What is measured, in Prometheus' text format. */
  @Get()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
