/** A change of the clocks: its instant and the offsets from UTC around it, in seconds. */
export interface Transition {
  at: number;
  before: number;
  after: number;
}

const DAY = 86_400;
/** How closely the year is searched. Nobody changes the clocks and back within as many days. */
const STEP = 10 * DAY;

const formats = new Map<string, Intl.DateTimeFormat>();
const years = new Map<string, Transition[]>();

/** Seconds that the zone's clocks are ahead of UTC, at a second since 1970-01-01T00:00:00Z. */
export function offsetAt(zone: string, second: number): number {
  if (zone === 'UTC') return 0;
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(second * 1_000)) parts[type] = value;
  const { era, year, month, day, hour, minute, second: shown } = parts;
  const local = new Date(0);
  // Not Date.UTC, which takes years below 100 for those of the last century.
  local.setUTCFullYear(era === 'BC' ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
  local.setUTCHours(Number(hour), Number(minute), Number(shown));
  return local.getTime() / 1_000 - second;
}

/** The changes of the clocks after `from` and up to `to`. */
export function transitionsBetween(zone: string, from: number, to: number): Transition[] {
  if (zone === 'UTC') return [];
  const found: Transition[] = [];
  for (let year = yearOf(from); year <= yearOf(to); year++) found.push(...transitionsOf(zone, year));
  return found.filter(({ at }) => from < at && at <= to);
}

function transitionsOf(zone: string, year: number): Transition[] {
  const key = `${zone} ${year}`;
  let found = years.get(key);
  if (!found) years.set(key, (found = search(zone, startOf(year), startOf(year + 1))));
  return found;
}

function search(zone: string, from: number, to: number): Transition[] {
  const found: Transition[] = [];
  for (let start = from; start < to; start += STEP) {
    const end = Math.min(start + STEP, to);
    const [before, after] = [offsetAt(zone, start), offsetAt(zone, end)];
    if (before === after) continue;
    let [early, late] = [start, end];
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2);
      if (offsetAt(zone, middle) === before) early = middle;
      else late = middle;
    }
    found.push({ at: late, before, after });
  }
  return found;
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
