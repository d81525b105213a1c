import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Database } from '#database/database.js';

export class HealthResponse {
  /** @example "ok" */
  status!: string;
}

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly database: Database) {}

  /** Whether the process runs. */
  @Get('live')
  live(): HealthResponse {
    return { status: 'ok' };
  }

  /** Whether the process can do its work: the database answers. 503 when it does not. */
  @Get('ready')
  async ready(): Promise<HealthResponse> {
    await this.database.query({ text: 'SELECT 1' });
    return { status: 'ok' };
  }
}
