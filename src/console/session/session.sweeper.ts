import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ROLES, type Roles } from '#config/roles.js';
import { Sweeper } from '#jobs/sweeper.js';
import { SessionQueries } from './sessions.queries.js';

const SWEEP_MS = 10 * 60_000;

/** Regularly deletes sessions that have ended by themselves. */
@Injectable()
export class SessionSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweeper: Sweeper;

  constructor(
    queries: SessionQueries,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.sweeper = new Sweeper(new Logger('console'), () => queries.forgetEnded());
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.sweeper.start(SWEEP_MS);
    this.sweeper.sweep();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweeper.stop();
  }
}
