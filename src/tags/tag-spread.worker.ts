import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ROLES, type Roles } from '#config/roles.js';
import { DueWork } from '#jobs/due-work.js';
import { Sweeper } from '#jobs/sweeper.js';
import { TagSpread } from './tag-spread.js';
import { TagSpreadQueries, UNFINISHED_SPREADS } from './tag-spread.queries.js';

/** Changes of tags that one round goes on with. */
const SWEEP_LIMIT = 100;

/** Tells the records of changed tags that were not told at once. One step of each in turn: none waits for another's many. */
@Injectable()
export class TagSpreadWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweeper = new Sweeper(new Logger('tags'), () => this.goOn());
  private closed = false;

  constructor(
    private readonly spread: TagSpread,
    private readonly queries: TagSpreadQueries,
    private readonly dueWork: DueWork,
    @Inject(ROLES) private readonly roles: Roles,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.dueWork.add({ name: 'tags', due: UNFINISHED_SPREADS, sweeper: this.sweeper });
  }

  beforeApplicationShutdown(): Promise<void> {
    this.closed = true;
    return this.sweeper.stop();
  }

  private async goOn(): Promise<void> {
    for (let left = await this.queries.unfinished(SWEEP_LIMIT); left.length > 0 && !this.closed;) {
      for (const { organization_id, tag_id } of left)
        if (!this.closed) await this.spread.goOn(organization_id, tag_id);
      left = await this.queries.unfinished(SWEEP_LIMIT);
    }
  }
}
