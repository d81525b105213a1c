/** A change of the clocks: its instant, and the offsets from UTC before and after it, in seconds. */
export interface Transition {
  at: number;
  before: number;
  after: number;
}

const DAY = 86_400;
/** The step of the search through a year: nobody changes the clocks and back within this many days. */
const STEP = 10 * DAY;

/** Earlier clocks went by the sun; time zones came with the railways. */
const FIRST_YEAR = 1_800;
/**
 * Up to this year changes may be listed one by one, as Morocco's are. Later ones follow rules and repeat with the calendar.
 */
const LAST_YEAR = 2_100;
/** The period of the Gregorian calendar, in years and in seconds; it is a whole number of weeks. */
const [PERIOD, PERIOD_SECONDS] = [400, 146_097 * DAY];

/** A year of a zone's clocks: the offset at its start in seconds, and the changes in it. */
interface Year {
  offset: number;
  transitions: Transition[];
}

const formats = new Map<string, Intl.DateTimeFormat>();
const years = new Map<string, Year>();

/** Seconds by which the zone is ahead of UTC, at a second since 1970-01-01T00:00:00Z. */
export function offsetAt(zone: string, second: number): number {
  if (zone === 'UTC') return 0;
  const { offset, transitions } = yearAt(zone, yearOf(second));
  return transitions.findLast(({ at }) => at <= second)?.after ?? offset;
}

/** The changes of the clocks after `from` and up to `to`. */
export function transitionsBetween(zone: string, from: number, to: number): Transition[] {
  if (zone === 'UTC') return [];
  const found: Transition[] = [];
  for (let year = Math.max(yearOf(from), FIRST_YEAR); year <= yearOf(to); year++)
    found.push(...yearAt(zone, year).transitions);
  return found.filter(({ at }) => from < at && at <= to);
}

/** The year, or the earlier year that it repeats: searching ten millennia takes seconds. */
function yearAt(zone: string, year: number): Year {
  const periods = Math.max(0, Math.ceil((year - LAST_YEAR) / PERIOD) - 1);
  const { offset, transitions } = searchedYear(zone, year - periods * PERIOD);
  if (periods === 0) return { offset, transitions };
  return {
    offset,
    transitions: transitions.map(({ at, ...offsets }) => ({ at: at + periods * PERIOD_SECONDS, ...offsets })),
  };
}

/** Each year is searched once: the formatter takes a hundred times as long as a look-up. */
function searchedYear(zone: string, year: number): Year {
  const key = `${zone} ${year}`;
  let found = years.get(key);
  if (!found) {
    const [start, end] = [startOf(year), startOf(year + 1)];
    years.set(key, (found = { offset: shownOffset(zone, start), transitions: search(zone, start, end) }));
  }
  return found;
}

function search(zone: string, from: number, to: number): Transition[] {
  const found: Transition[] = [];
  for (let start = from; start < to; start += STEP) {
    const end = Math.min(start + STEP, to);
    const [before, after] = [shownOffset(zone, start), shownOffset(zone, end)];
    if (before === after) continue;
    let [early, late] = [start, end];
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2);
      if (shownOffset(zone, middle) === before) early = middle;
      else late = middle;
    }
    found.push({ at: late, before, after });
  }
  return found;
}

/** The zone's offset, from the local time that the formatter shows. */
function shownOffset(zone: string, second: number): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(second * 1_000)) parts[type] = value;
  const { era, year, month, day, hour, minute, second: shown } = parts;
  const local = new Date(0);
  // Not Date.UTC: it takes years below 100 for those of the last century.
  local.setUTCFullYear(era === 'BC' ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
  local.setUTCHours(Number(hour), Number(minute), Number(shown));
  return local.getTime() / 1_000 - second;
}

const yearOf = (second: number): number => new Date(second * 1_000).getUTCFullYear();

const startOf = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1) / 1_000;

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  return format;
}
