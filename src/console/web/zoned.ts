import { dateFormat } from './formatters.js';
/** What a clock in the zone shows at an instant, as fields of date and time have it: "2026-03-29T09:00". */
export function clockIn(zone: string | undefined, instant: Date): string {
  const parts = dateFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(instant);
  const of = (type: string) => parts.find((part) => part.type === type)!.value;
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

const DAY = 86_400_000;

/** The instant at which a clock in the zone shows it: the first of two. What the clock skips is later by as much as it skips. */
export function instantAt(zone: string | undefined, clock: string): Date {
  const asUtc = Date.parse(`${clock}Z`);
  const ahead = (at: number) => Date.parse(`${clockIn(zone, new Date(at))}Z`) - at;
  const [before, after] = [asUtc - DAY, asUtc + DAY].map((at) => new Date(asUtc - ahead(at)));
  const isLater = clockIn(zone, before!) !== clock && clockIn(zone, after!) === clock;
  return isLater ? after! : before!;
}
