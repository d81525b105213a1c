import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Database } from '#database/database.js';
import type { Projection } from '#event-store/projection.js';
import { lagOf } from '#event-store/projection-status.js';
import { toProblem } from '#http/problems/problem.js';
import { OperationsQueries } from './operations.queries.js';
import { measureReplicas } from './replica-metrics.js';

/** Counting stops here: so many already show that something is wrong, and counting more would burden a busy database. */
const MOST_COUNTED = 10_000;

/** Metrics for Prometheus: of this process (requests, pool, event loop, memory) and of the work in the database. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly followed: Projection[] = [];
  /** The read under way, if any. */
  private lagging: ReturnType<Metrics['readLags']> | null = null;

  constructor(
    private readonly database: Database,
    private readonly queries: OperationsQueries,
  ) {
    collectDefaultMetrics({ register: this.registry });
    this.poolGauges();
    this.workerGauges();
    this.workGauges();
    this.feedGauges();
    this.webhookGauges();
    measureReplicas(database.replicas, this.registry);
  }

  /** From now on reports how far this projection is behind the events. */
  follow(projection: Projection): void {
    this.followed.push(projection);
  }

  private poolGauges(): void {
    const { database } = this;
    this.gauge('parley_pool_connections', 'Connections to the database by state.', ['state'], (gauge) => {
      const { total, idle, waiting } = database.usage();
      gauge.set({ state: 'used' }, total - idle);
      gauge.set({ state: 'idle' }, idle);
      gauge.set({ state: 'awaited' }, waiting);
    });
  }

  private workerGauges(): void {
    this.gauge(
      'parley_workers',
      'Workers that have given a sign of life in the last ten seconds.',
      [],
      async (gauge) => gauge.set((await this.queries.workers()).count),
    );
    this.gauge(
      'parley_worker_heartbeat_age_seconds',
      'How long ago the latest sign of life of any worker was.',
      [],
      async (gauge) => {
        const { heartbeat_age_seconds } = await this.queries.workers();
        if (heartbeat_age_seconds === null) gauge.remove();
        else gauge.set(heartbeat_age_seconds);
      },
    );
  }

  private workGauges(): void {
    this.gauge('parley_deliveries', 'Deliveries that are not over, by status.', ['status'], async (gauge) => {
      gauge.reset();
      for (const { status, count } of await this.queries.deliveries()) gauge.set({ status }, count);
    });
    this.gauge(
      'parley_delivery_oldest_due_seconds',
      'How long the delivery that waits longest has been due.',
      [],
      async (gauge) => gauge.set(await this.queries.oldestDue()),
    );
  }

  private feedGauges(): void {
    this.gauge('parley_events', 'Events stored so far.', [], async (gauge) =>
      gauge.set(await this.queries.events()),
    );
    this.gauge(
      'parley_feed_watermark_age_seconds',
      'How long the oldest event has waited for open transactions to end, before which the feed does not show it.',
      [],
      async (gauge) => gauge.set(await this.queries.watermarkAge()),
    );
    this.gauge(
      'parley_projection_lag_seconds',
      'Age of the first event that a read model has still to read.',
      ['projection'],
      async (gauge) => {
        for (const { projection, lagSeconds } of await this.lags()) gauge.set({ projection }, lagSeconds);
      },
    );
    this.gauge(
      'parley_projection_lag_events',
      `Events that a read model has still to read, up to ${MOST_COUNTED}.`,
      ['projection'],
      async (gauge) => {
        for (const { projection, lagEvents } of await this.lags()) gauge.set({ projection }, lagEvents);
      },
    );
  }

  /** Reads once for both gauges, which are collected at the same time. */
  private lags() {
    this.lagging ??= this.readLags().finally(() => (this.lagging = null));
    return this.lagging;
  }

  private readLags() {
    return Promise.all(
      this.followed.map(async (one) => ({
        projection: one.name,
        ...(await lagOf(this.database, one, MOST_COUNTED)),
      })),
    );
  }

  private webhookGauges(): void {
    const { queries } = this;
    this.gauge('parley_webhooks', 'Webhooks by state.', ['state'], async (gauge) => {
      gauge.reset();
      for (const { state, count } of await queries.webhooks()) gauge.set({ state }, count);
    });
    this.gauge(
      'parley_webhook_deliveries',
      'Events that webhooks have not taken, by status.',
      ['status'],
      async (gauge) => {
        gauge.reset();
        for (const { status, count } of await queries.webhookDeliveries()) gauge.set({ status }, count);
      },
    );
    this.gauge(
      'parley_webhook_oldest_due_seconds',
      'How long the event that waits longest for a webhook whose endpoint works has been due.',
      [],
      async (gauge) => gauge.set(await queries.oldestDueAtWebhooks()),
    );
  }

  private gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: (gauge: Gauge<Label>) => void | Promise<void>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        try {
          await read(this);
        } catch (error) {
          // While the database is away its metrics are left out: the others are needed most then.
          if (toProblem(error).code !== 'unavailable') throw error;
          this.reset();
          if (labelNames.length === 0) this.remove();
        }
      },
    });
  }
}
