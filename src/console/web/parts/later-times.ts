export interface LaterTime {
  name: 'laterToday' | 'tomorrow' | 'monday' | 'nextWeek';
  /** As fields of date and time have it: "2026-03-30T09:00". */
  clock: string;
}

const DAY = 24 * 60 * 60_000;
const MORNING = 9;
/** Three hours after that is no more for today. */
const EVENING = 16;

/** The next times that people put things off to, each of them once, by the clock that shows `now`. */
export function laterTimes(now: string): LaterTime[] {
  const date = Date.parse(`${now.slice(0, 10)}T00:00Z`);
  const hour = Number(now.slice(11, 13));
  const at = (days: number, of: number) =>
    `${new Date(date + days * DAY).toISOString().slice(0, 10)}T${String(of).padStart(2, '0')}:00`;
  const untilMonday = (8 - new Date(date).getUTCDay()) % 7;
  const times: LaterTime[] = [{ name: 'tomorrow', clock: at(1, MORNING) }];
  // On a Sunday that is tomorrow, and on a Monday in a week.
  if (untilMonday > 1) times.push({ name: 'monday', clock: at(untilMonday, MORNING) });
  times.push({ name: 'nextWeek', clock: at(7, MORNING) });
  if (hour < EVENING) times.unshift({ name: 'laterToday', clock: at(0, hour + 3) });
  return times;
}
