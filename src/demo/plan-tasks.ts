import { DAY, onWorkday, startOfDay } from './calendar.js';
import type { PlannedSale } from './plan-sales.js';
import type { PlannedCompany, PlannedContact } from './plan-people.js';
import type { Random } from './random.js';
import { ERRANDS, NOTES } from './words.js';

export interface PlannedTask {
  title: string;
  notes: string | null;
  agent: number;
  about: { kind: 'company' | 'contact' | 'sale'; nr: number };
  /** These are milliseconds since 1970. */
  created: number;
  due: number | null;
  completed: number | null;
}

const MINUTE = 60_000;
const KINDS = ['contact', 'sale', 'company'] as const;
/** So many of each; the rest is done. */
const [OVERDUE, TODAY, LATER, UNDATED, COUNT] = [9, 7, 22, 6, 150];

/** Some overdue, some for what is left of today, some for later or without a time, and most done. */
export const planTasks = (
  random: Random,
  now: number,
  named: { company: PlannedCompany[]; contact: PlannedContact[]; sale: PlannedSale[] },
): PlannedTask[] =>
  Array.from({ length: COUNT }, (_, nr) => {
    const kind = KINDS[nr % KINDS.length]!;
    const records = named[kind];
    const at = random.integer(0, records.length - 1);
    const record = records[at]!;
    return {
      title: random.pick(ERRANDS[kind]).replace('{name}', record.name),
      notes: random.chance(0.25) ? random.pick(NOTES) : null,
      agent: 'owner' in record ? record.owner : record.agent,
      about: { kind, nr: at },
      ...timesOf(random, nr, now),
    };
  });

function timesOf(
  random: Random,
  nr: number,
  now: number,
): Pick<PlannedTask, 'created' | 'due' | 'completed'> {
  const lead = random.integer(2, 15) * DAY;
  const created = now - lead;
  const onDay = (days: number) => onWorkday(now, days, random.pick([9, 9.5, 11, 14, 16, 17]));
  if (nr < OVERDUE) {
    const due = onDay(-random.integer(1, 8));
    return { created: due - lead, due, completed: null };
  }
  if (nr < OVERDUE + TODAY) return { created, due: restOfDay(now, nr - OVERDUE), completed: null };
  if (nr < OVERDUE + TODAY + LATER) return { created, due: onDay(random.integer(1, 20)), completed: null };
  if (nr < OVERDUE + TODAY + LATER + UNDATED) return { created, due: null, completed: null };
  const due = onDay(-random.integer(1, 200));
  const completed = Math.min(due - random.integer(-300, 600) * MINUTE, now - MINUTE);
  return { created: due - lead, due, completed };
}

/** Spread over what is left of the day, in steps of five minutes where there is room. */
function restOfDay(now: number, nr: number): number {
  const end = startOfDay(now) + DAY - 1;
  const at = now + ((end - now) * (nr + 1)) / (TODAY + 1);
  const even = Math.ceil(at / (5 * MINUTE)) * 5 * MINUTE;
  return even < end ? even : at;
}
