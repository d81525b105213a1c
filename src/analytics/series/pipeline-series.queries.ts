import type { Reader } from '#database/statements/statement.js';
import { groupBy } from '#event-store/group-by.js';
import { ofUnits } from '#kernel/money.js';
import { AFTER_CUTS, arrayOf, byCuts, byCutsValues, type Counted } from '../figures/by-cuts.queries.js';
import type { CutParts } from '../figures/cut-parts.js';
import type { StageFigures } from '../figures/sale-figures.queries.js';
import { sliced, slicedValues } from '../figures/sliced.queries.js';
import type { Window } from '../figures/window-slices.js';
import { EVERYBODY } from '../rollups/sale-counts.js';

/** Before every instant. */
const FIRST_INSTANT = '0001-01-01T00:00:00.000000Z';

/** Stays whose quotes are written alike: those begun and those ended, and the sums of their quotes in units of 1/10000. */
interface Stays {
  number: number;
  status_id: string;
  currency: string;
  decimals: number;
  begun: number;
  begun_units: string;
  ended: number;
  ended_units: string;
}

const KEY = `status_id, coalesce(currency, ''), coalesce(scale(total_price), 0)`;
const UNITS = 'round(coalesce(total_price * 10000, 0))';

/** `owner`: the parameter with what the periods have for everybody. */
const stays = (owner: string): Counted => ({
  columns: 'status_id, currency, decimals, begun, begun_units, ended, ended_units',
  periods: `analytics_stay_period WHERE organization_id = $1 AND owner_id = ${owner}`,
  facts: (from, to) => `
    SELECT ${KEY}, 1, ${UNITS}, 0, 0 FROM analytics_stay
     WHERE organization_id = $1 AND entered_at >= ${from} AND entered_at < ${to}
     UNION ALL
    SELECT ${KEY}, 0, 0, 1, ${UNITS} FROM analytics_stay
     WHERE organization_id = $1 AND left_at >= ${from} AND left_at < ${to}`,
});

const sum = (name: string): string =>
  `sum(sign * ${name})::int AS ${name},
   sum(CASE sign WHEN 1 THEN ${name}_units ELSE -${name}_units END)::text AS ${name}_units`;

const { columns, periods, facts } = stays('$16');
const BEFORE = `
  SELECT status_id, currency, decimals, ${sum('begun')}, ${sum('ended')}
    FROM (SELECT 1 AS sign, counted.* FROM (${sliced(`SELECT ${columns} FROM ${periods}`, facts)}) counted)
           AS parts (sign, ${columns})
   GROUP BY status_id, currency, decimals`;

/** A stay that ended as a bucket begins is in none of its figures: it is taken away from those begun, and from those ended. */
const EACH = `
  SELECT number, status_id, currency, decimals, ${sum('begun')}, ${sum('ended')}
    FROM (${byCuts(stays(AFTER_CUTS))}
           UNION ALL
          SELECT width_bucket(left_at, $17::timestamptz[]) - 1, -1, ${KEY}, 1, ${UNITS}, 1, ${UNITS}
            FROM analytics_stay WHERE organization_id = $1 AND left_at = ANY ($17::timestamptz[]))
           AS parts (number, sign, ${columns})
   GROUP BY number, status_id, currency, decimals`;

/**
 * The sales in each stage for some part of each bucket, by stage id. As in `readPipeline`, those in a bucket are the stays begun
 * before its end, less those ended by its beginning; here each bucket adds its own to those of the buckets before it.
 */
export async function readPipelineEach(
  tx: Reader,
  organizationId: string,
  windows: Window[],
  parts: CutParts,
): Promise<Map<string, StageFigures>[]> {
  const starts = windows.map(({ start_date }) => start_date);
  const before = { start_date: FIRST_INSTANT, end_date: starts[0]! };
  const [earlier, rows] = await Promise.all([
    tx.query<Stays>({
      name: 'analytics_pipeline_before',
      text: BEFORE,
      values: [...slicedValues(organizationId, before), EVERYBODY],
    }),
    tx.query<Stays>({
      name: 'analytics_pipeline_each',
      text: EACH,
      values: [...byCutsValues(organizationId, parts), EVERYBODY, arrayOf(starts)],
    }),
  ]);
  const ofBucket = new Map(groupBy(rows, ({ number }) => number));
  const present = new Present();
  present.begin(earlier);
  present.end(earlier);
  return windows.map((_, nr) => {
    const own = ofBucket.get(nr) ?? [];
    present.begin(own);
    const figures = present.figures();
    present.end(own);
    return figures;
  });
}

/** Stays at a time whose quotes are written alike. */
interface Alike {
  currency: string;
  decimals: number;
  stays: number;
  units: bigint;
}

/** The stays at a time, by their stage. */
class Present {
  private readonly stages = new Map<string, Map<string, Alike>>();

  begin(rows: Stays[]): void {
    for (const row of rows) this.add(row, row.begun, BigInt(row.begun_units));
  }

  end(rows: Stays[]): void {
    for (const row of rows) this.add(row, -row.ended, -BigInt(row.ended_units));
  }

  private add({ status_id, currency, decimals }: Stays, stays: number, units: bigint): void {
    const ofStage = this.stages.get(status_id) ?? new Map<string, Alike>();
    this.stages.set(status_id, ofStage);
    const key = `${decimals} ${currency}`;
    const alike = ofStage.get(key) ?? { currency, decimals, stays: 0, units: 0n };
    ofStage.set(key, alike);
    alike.stays += stays;
    alike.units += units;
  }

  figures(): Map<string, StageFigures> {
    return new Map(
      [...this.stages].map(([id, ofStage]) => [
        id,
        figuresOf([...ofStage.values()].filter(({ stays }) => stays > 0)),
      ]),
    );
  }
}

function figuresOf(present: Alike[]): StageFigures {
  const quoted = present.filter(({ currency }) => currency !== '');
  const currencies = [...new Set(quoted.map(({ currency }) => currency))].sort();
  return {
    volume: present.reduce((sum, { stays }) => sum + stays, 0),
    value: sumOf(quoted),
    values: currencies.map((one) => ({
      currency: one,
      value: sumOf(quoted.filter(({ currency }) => currency === one)),
    })),
  };
}

/** With as many decimals as the most precise quote has. */
const sumOf = (quoted: Alike[]) =>
  ofUnits(
    quoted.reduce((sum, { units }) => sum + units, 0n),
    Math.max(0, ...quoted.map(({ decimals }) => decimals)),
  );
