import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '#database/database.js';
import { positionOf } from '#event-store/position.js';
import { progressOf } from '#event-store/projection-status.js';
import { AlreadyRebuilding, rebuild } from '#event-store/rebuild.js';
import { notFound, Problem } from '#http/problems/problem.js';
import { type ReadModel, ReadModels } from './read-model.js';
import type { ProjectionResponse } from './read-models.dto.js';

/** Shows operators how far the read models have come, and rebuilds them on demand. */
@Injectable()
export class Rebuilds implements OnApplicationShutdown {
  private readonly log = new Logger('rebuild');
  private readonly running = new Set<Promise<unknown>>();
  private readonly cancelled = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly readModels: ReadModels,
  ) {}

  /** Cancels running rebuilds, which leaves the live tables as they were. */
  async onApplicationShutdown(): Promise<void> {
    this.cancelled.abort();
    await Promise.all(this.running);
  }

  list(): Promise<ProjectionResponse[]> {
    return Promise.all(this.readModels.all.map((model) => this.show(model)));
  }

  /** Begins a rebuild and gives the projection as it is then. Throws 404, and 409 while one is under way anywhere. */
  async start(name: string): Promise<ProjectionResponse> {
    const model = this.readModels.all.find(({ projection }) => projection.name === name);
    if (!model) throw notFound('projection', name);
    await this.begin(model);
    return {
      rebuild: { progress: 0, seconds_left: null },
      ...(await this.show(model)),
      status: 'rebuilding',
    };
  }

  /** Resolves when the rebuild has begun; it goes on by itself. */
  private begin({ projection, kind }: ReadModel): Promise<void> {
    const { database } = this;
    const { upcasters } = this.readModels;
    const { signal: cancelled } = this.cancelled;
    return new Promise((resolve, reject) => {
      const run = rebuild({ database, projection, kind, upcasters, onStart: resolve, cancelled })
        .then((events) => this.log.log(`${projection.name}: rebuilt from ${events} events`))
        .catch((error: unknown) => {
          // Has no effect once the rebuild has begun.
          reject(error instanceof AlreadyRebuilding ? underWay(projection.name) : (error as Error));
          this.log.warn(`${projection.name}: ${String(error)}`);
        })
        .finally(() => this.running.delete(run));
      this.running.add(run);
    });
  }

  private async show({ projection, kind }: ReadModel): Promise<ProjectionResponse> {
    const { cursor, lagEvents, lagSeconds, rebuild } = await progressOf(this.database, projection, kind);
    return {
      name: projection.name,
      kind,
      position: positionOf(cursor),
      lag_events: lagEvents,
      lag_seconds: lagSeconds,
      status: rebuild ? 'rebuilding' : 'live',
      ...(rebuild && { rebuild: { progress: rebuild.progress, seconds_left: rebuild.secondsLeft } }),
    };
  }
}

const underWay = (name: string): Problem =>
  new Problem(
    409,
    'rebuild_in_progress',
    `The projection ${name} is being rebuilt or verified already; wait for it.`,
  );
