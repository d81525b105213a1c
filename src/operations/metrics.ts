import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Database } from '#database/database.js';
import { toProblem } from '#http/problem.js';
import { OperationsQueries } from './operations.queries.js';

/** What Prometheus reads: this process (requests, pool, event loop, memory) and the work that stands in the database. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  constructor(
    private readonly database: Database,
    private readonly queries: OperationsQueries,
  ) {
    collectDefaultMetrics({ register: this.registry });
    this.poolGauges();
    this.workGauges();
    this.webhookGauges();
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
    this.gauge(
      'parley_feed_watermark_age_seconds',
      'Age of the oldest transaction that holds the event feed back.',
      [],
      async (gauge) => gauge.set(await this.queries.watermarkAge()),
    );
    this.gauge(
      'parley_projection_lag_seconds',
      'How far a read model is behind the events.',
      ['projection'],
      async (gauge) => {
        for (const { projection, seconds } of await this.queries.lags()) gauge.set({ projection }, seconds);
      },
    );
    this.gauge('parley_events', 'Events stored so far.', [], async (gauge) =>
      gauge.set(await this.queries.events()),
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
          // What the database would tell is left out while it is away; the rest is wanted most then.
          if (toProblem(error).code !== 'unavailable') throw error;
          this.reset();
          if (labelNames.length === 0) this.remove();
        }
      },
    });
  }
}
