import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { VERSION } from '#config/product.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { LiveResponse, ReadyResponse } from './health.dto.js';
import { Readiness } from './readiness.js';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Whether the process runs. */
  @Get('live')
  live(): LiveResponse {
    return { status: 'ok', version: VERSION };
  }

  /**
   * Whether the process should be sent requests.
   *
   * 503 when the database does not answer or lacks migrations, and from the moment the process is told to end.
   */
  @Get('ready')
  @ApiProblems(503)
  ready(): Promise<ReadyResponse> {
    return this.readiness.examine();
  }
}
