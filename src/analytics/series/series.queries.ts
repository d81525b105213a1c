import { Injectable } from '@nestjs/common';
import type { Reader } from '#database/statements/statement.js';
import { invalid } from '#http/problems/problem.js';
import type { Instant } from '#kernel/instant.js';
import { Directory, type StageRow } from '../../workspace/workspace.contract.js';
import { cutByCalendar, type Interval } from '../facts/calendar.js';
import {
  modality,
  responseRate,
  responseTime,
  saleFigures,
  volumeStats,
} from '../figures/analytics.queries.js';
import {
  type Cohort,
  NO_COHORT,
  NO_VOLUME,
  readCohorts,
  readCohortsAndVolumes,
  type Volume,
} from '../figures/conversation-figures.queries.js';
import { type CutParts, cutParts } from '../figures/cut-parts.js';
import { acceptedColumn, readCreatedSalesEach } from '../figures/sale-figures.queries.js';
import { Snapshots } from '../figures/snapshot.queries.js';
import type { Window } from '../figures/window-slices.js';
import { readPipelineEach } from './pipeline-series.queries.js';
import { readResponseTimesEach } from './response-times-series.queries.js';
import {
  type BucketResponse,
  type Metric,
  METRICS,
  MOST_BUCKETS,
  type SeriesQuery,
  type SeriesResponse,
} from './series.dto.js';

/** Figures by the calendar: those of all buckets cost as many statements as those of one window. */
@Injectable()
export class SeriesQueries {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly directory: Directory,
  ) {}

  async series(organizationId: string, query: SeriesQuery): Promise<SeriesResponse> {
    const { interval } = query;
    const metrics = new Set((query.metric ?? METRICS) as Metric[]);
    const time_zone = query.time_zone ?? (await this.directory.existingOrganization(organizationId)).timezone;
    const cuts = cutsOf(query, time_zone);
    const stages = await this.directory.stages(organizationId);
    return this.snapshots.take(organizationId, async (tx) => {
      const readings = new Readings(tx, organizationId, cuts, interval, stages, metrics);
      const figures = await Promise.all([...metrics].map((one) => readings.of(one)));
      const buckets = readings.windows.map((window, nr) =>
        figures.reduce<BucketResponse>((bucket, figuresOf) => ({ ...bucket, ...figuresOf(nr) }), window),
      );
      return { interval, time_zone, buckets };
    });
  }
}

/** The instants at which buckets begin, and the end of the last one. */
function cutsOf({ interval, start_date, end_date }: SeriesQuery, zone: string): Instant[] {
  const cuts = cutByCalendar(interval, zone, { start_date, end_date }, MOST_BUCKETS);
  if (cuts === null)
    throw invalid([
      { field: 'interval', detail: `must be longer: the window has more than ${MOST_BUCKETS} of these` },
    ]);
  return cuts;
}

/** The figures of a metric in the bucket of this number. */
type FiguresOf = (nr: number) => Partial<BucketResponse>;

/** Reads the figures of all buckets, metric by metric. */
class Readings {
  readonly windows: Window[];
  private readonly parts: CutParts;
  private cohorts?: Promise<Map<number, Cohort>>;
  private all?: Promise<Map<number, Cohort & Volume>>;

  constructor(
    private readonly tx: Reader,
    private readonly organizationId: string,
    cuts: Instant[],
    interval: Interval,
    private readonly stages: StageRow[],
    private readonly metrics: Set<Metric>,
  ) {
    this.windows = cuts.slice(1).map((end, nr) => ({ start_date: cuts[nr]!, end_date: end }));
    this.parts = cutParts(cuts, interval);
  }

  of(metric: Metric): Promise<FiguresOf> {
    switch (metric) {
      case 'volume':
        return this.volume();
      case 'response_rate':
        return this.ofCohorts((cohort) => ({ responseRateStats: responseRate(cohort) }));
      case 'response_time':
        return this.responseTime();
      case 'modality':
        return this.ofCohorts((cohort) => ({ modalityStats: modality(cohort) }));
      case 'sales':
        return this.sales();
    }
  }

  /** Once, whichever metrics need them. */
  private readCohorts(): Promise<Map<number, Cohort>> {
    if (this.metrics.has('volume')) return this.readAll();
    return (this.cohorts ??= readCohorts(this.tx, this.organizationId, this.parts));
  }

  private readAll(): Promise<Map<number, Cohort & Volume>> {
    return (this.all ??= readCohortsAndVolumes(this.tx, this.organizationId, this.parts));
  }

  private async ofCohorts(shown: (cohort: Cohort) => Partial<BucketResponse>): Promise<FiguresOf> {
    const cohorts = await this.readCohorts();
    return (nr) => shown(cohorts.get(nr) ?? NO_COHORT);
  }

  private async volume(): Promise<FiguresOf> {
    const counts = await this.readAll();
    return (nr) => {
      const own = counts.get(nr);
      return { volumeStats: volumeStats(own ?? NO_VOLUME, own ?? NO_COHORT) };
    };
  }

  private async responseTime(): Promise<FiguresOf> {
    const times = await readResponseTimesEach(this.tx, this.organizationId, this.windows, this.parts);
    return (nr) => ({ responseTimeStats: responseTime(times.get(nr) ?? { count: 0, median: 0 }) });
  }

  private async sales(): Promise<FiguresOf> {
    const { tx, organizationId, windows, parts, stages } = this;
    const [pipelines, created] = await Promise.all([
      readPipelineEach(tx, organizationId, windows, parts),
      readCreatedSalesEach(tx, organizationId, parts, acceptedColumn(stages)),
    ]);
    return (nr) => saleFigures(stages, pipelines[nr], created.get(nr) ?? { created: 0, accepted: 0 });
  }
}
