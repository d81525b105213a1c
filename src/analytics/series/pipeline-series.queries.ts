import type { Reader } from '#database/statements/statement.js';
import { groupBy } from '#event-store/group-by.js';
import { ofUnits } from '#kernel/money.js';
import type { StageFigures } from '../figures/sale-figures.queries.js';
import { slicedEach, slicedEachValues } from '../figures/sliced.queries.js';
import type { Window } from '../figures/window-slices.js';
import { EVERYBODY } from '../rollups/sale-counts.js';

/** Before every instant. */
const FIRST_INSTANT = '0001-01-01T00:00:00.000000Z';

/** Stays whose quotes are written alike: those begun and ended within a window, and those ended as it begins. */
interface Stays {
  number: number;
  status_id: string;
  currency: string;
  decimals: number;
  begun: number;
  begun_units: string;
  ended: number;
  ended_units: string;
  ended_before: number;
  ended_before_units: string;
}

const SINGLE = `SELECT status_id, coalesce(currency, '') AS currency, coalesce(scale(total_price), 0) AS decimals`;
const UNITS = 'coalesce(total_price * 10000, 0)';

const units = (column: string) => `round(sum(${column}))::text AS ${column}`;

const STAYS = `
  SELECT number, status_id, currency, decimals, sum(begun)::int AS begun, ${units('begun_units')}, sum(ended)::int AS ended,
         ${units('ended_units')}, sum(ended_before)::int AS ended_before, ${units('ended_before_units')}
    FROM (${slicedEach(
      `SELECT status_id, currency, decimals, begun, begun_units, ended, ended_units, 0, 0 FROM analytics_stay_period
        WHERE organization_id = $1 AND owner_id = $14`,
      (from, to) => `
       ${SINGLE}, 1, ${UNITS}, 0, 0, 0, 0 FROM analytics_stay
        WHERE organization_id = $1 AND entered_at >= ${from} AND entered_at < ${to}
        UNION ALL
       ${SINGLE}, 0, 0, 1, ${UNITS}, 0, 0 FROM analytics_stay
        WHERE organization_id = $1 AND left_at >= ${from} AND left_at < ${to}`,
    )}
    UNION ALL
    SELECT part.number::int, counted.*
      FROM unnest($15::timestamptz[]) WITH ORDINALITY AS part (begins, number)
     CROSS JOIN LATERAL (${SINGLE}, 0, 0, 0, 0, 1, ${UNITS} FROM analytics_stay
                          WHERE organization_id = $1 AND left_at = part.begins OFFSET 0) counted
   ) parts (number, status_id, currency, decimals, begun, begun_units, ended, ended_units, ended_before, ended_before_units)
   GROUP BY number, parts.status_id, parts.currency, decimals
   ORDER BY number, currency`;

/**
 * The sales in each stage for some part of each window, by stage id. The windows follow one another without a gap. As in
 * `readPipeline`, those in a window are the stays begun before its end, less those ended by its beginning; here each window
 * adds its own to those of the windows before it.
 */
export async function readPipelineEach(
  tx: Reader,
  organizationId: string,
  windows: Window[],
): Promise<Map<string, StageFigures>[]> {
  const before = { start_date: FIRST_INSTANT, end_date: windows[0]!.start_date };
  const rows = await tx.query<Stays>({
    name: 'analytics_pipeline_each',
    text: STAYS,
    values: [
      ...slicedEachValues(organizationId, [before, ...windows]),
      EVERYBODY,
      windows.map(({ start_date }) => start_date),
    ],
  });
  const ofWindow = new Map(groupBy(rows, ({ number }) => number));
  const present = new Map<string, Present>();
  follow(present, ofWindow.get(0) ?? [], 'ended');
  return windows.map((_, nr) => {
    const own = ofWindow.get(nr + 1) ?? [];
    const inWindow = new Map([...present].map(([key, stays]) => [key, { ...stays }]));
    follow(inWindow, own, 'ended_before');
    follow(present, own, 'ended');
    return figuresOf([...inWindow.values()].filter(({ stays }) => stays > 0));
  });
}

/** Stays at a time whose quotes are written alike, and the sum of these in units of 1/10000. */
interface Present {
  status_id: string;
  currency: string;
  decimals: number;
  stays: number;
  units: bigint;
}

/** Adds the stays that began, and takes away those that ended. */
function follow(present: Map<string, Present>, rows: Stays[], ended: 'ended' | 'ended_before'): void {
  for (const row of rows) {
    const { status_id, currency, decimals } = row;
    const key = `${status_id} ${decimals} ${currency}`;
    const before = present.get(key) ?? { status_id, currency, decimals, stays: 0, units: 0n };
    present.set(key, {
      ...before,
      stays: before.stays + row.begun - row[ended],
      units: before.units + BigInt(row.begun_units) - BigInt(row[`${ended}_units`]),
    });
  }
}

function figuresOf(present: Present[]): Map<string, StageFigures> {
  return new Map(
    groupBy(present, ({ status_id }) => status_id).map(([id, own]) => {
      const quoted = own.filter(({ currency }) => currency !== '');
      const byCurrency = groupBy(quoted, ({ currency }) => currency).sort(([one], [other]) =>
        one < other ? -1 : 1,
      );
      return [
        id,
        {
          volume: own.reduce((sum, { stays }) => sum + stays, 0),
          value: sumOf(quoted),
          values: byCurrency.map(([currency, ones]) => ({ currency, value: sumOf(ones) })),
        },
      ];
    }),
  );
}

/** With as many decimals as the most precise quote has. */
const sumOf = (quoted: Present[]) =>
  ofUnits(
    quoted.reduce((sum, { units }) => sum + units, 0n),
    Math.max(0, ...quoted.map(({ decimals }) => decimals)),
  );
