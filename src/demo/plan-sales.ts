import { DAY, onWorkday } from './calendar.js';
import type { PlannedComment } from './plan-conversations.js';
import type { PlannedCompany, PlannedContact } from './plan-people.js';
import type { Random } from './random.js';
import { COMMENTS, PRODUCTS, SALES } from './words.js';

export interface PlannedSale {
  name: string;
  company: number;
  contacts: number[];
  owner: number;
  /** When it entered each stage, from the first one on, in milliseconds since 1970. */
  entered: number[];
  /** As `2026-03-31`. */
  expected_close_on: string;
  /** Given on entering the second stage. */
  quote: { currency: string; products: PlannedProduct[] } | null;
  isOfKeyAccount: boolean;
  comment: PlannedComment | null;
}

interface PlannedProduct {
  product_name: string;
  quantity: number;
  unit_price: string;
}

const COUNT = 120;
/** The last stage reached by each of some sales, by the days since they were opened. */
const REACHED: [days: number, stages: number[]][] = [
  [120, [3, 3, 3, 3, 3, 3, 2, 1]],
  [40, [3, 3, 2, 2, 1, 1, 0]],
  [0, [0, 0, 0, 1, 1, 2]],
];

/** Sales of the last eleven months, half of them of the last two. What depends on `now` are the times alone. */
export const planSales = (
  random: Random,
  now: number,
  companies: PlannedCompany[],
  contacts: PlannedContact[],
  agents: number,
): PlannedSale[] =>
  Array.from({ length: COUNT }, () => {
    const company = random.integer(0, companies.length - 1);
    const colleagues = [...contacts.keys()].filter((nr) => contacts[nr]!.company === company);
    const owner = random.chance(0.8) ? companies[company]!.agent : random.integer(0, agents - 1);
    const entered = stagesOf(random, random.integer(1, random.chance(0.45) ? 60 : 330), now);
    const [opened, latest] = [entered[0]!, entered.at(-1)!];
    const closing =
      entered.length > 2 ? entered[2]! + random.integer(-8, 6) * DAY : now + random.integer(-9, 75) * DAY;
    const comment = { agent: (owner + 1) % agents, mentioned: [owner], body: random.pick(COMMENTS) };
    return {
      name: random.pick(SALES),
      company,
      contacts: random.shuffle(colleagues).slice(0, random.integer(1, 2)),
      owner,
      entered,
      expected_close_on: new Date(Math.max(closing, opened)).toISOString().slice(0, 10),
      quote: entered.length === 1 ? null : planQuote(random),
      isOfKeyAccount: random.chance(0.15),
      comment: random.chance(0.15) ? { ...comment, at: latest } : null,
    };
  });

/** When it entered its stages, the first one so many days ago. */
function stagesOf(random: Random, days: number, now: number): number[] {
  const [, stages] = REACHED.find(([least]) => days >= least)!;
  const entered: number[] = [];
  let ago = days;
  for (let left = random.pick(stages); left >= 0; left--) {
    entered.push(onWorkday(now - ago * DAY, 0, 9 + entered.length * 2 + random.integer(0, 90) / 60));
    ago = Math.max(1, ago - random.integer(3, 24));
  }
  return entered;
}

const planQuote = (random: Random) => ({
  currency: random.chance(0.25) ? 'EUR' : 'GBP',
  products: random
    .shuffle(PRODUCTS)
    .slice(0, random.integer(1, 4))
    .map(([product_name, unit_price]) => ({ product_name, quantity: random.integer(1, 40), unit_price })),
});
