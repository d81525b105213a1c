export const HOUR = 3_600_000;

export const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

/** When the present day ends in a zone without daylight saving, in milliseconds since 1970. */
export function endOfDay(timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(Date.now());
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const passed = (of('hour') * 60 + of('minute')) * 60 + of('second');
  return Math.floor(Date.now() / 1_000) * 1_000 + (86_400 - passed) * 1_000;
}
