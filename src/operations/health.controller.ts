import { Controller, Get } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { OperationsQueries } from './operations.queries.js';

export class HealthResponse {
  @ApiProperty({ description: 'Always ok.', example: 'ok' })
  status!: string;
}

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly queries: OperationsQueries) {}

  /** Whether the process runs. */
  @Get('live')
  live(): HealthResponse {
    return { status: 'ok' };
  }

  /** Whether the process can do its work: the database answers. 503 when it does not. */
  @Get('ready')
  async ready(): Promise<HealthResponse> {
    await this.queries.ping();
    return { status: 'ok' };
  }
}
