import { planConversations, type PlannedConversation } from './plan-conversations.js';
import { randomFrom, type Random } from './random.js';
import {
  CITIES,
  ERRANDS,
  FIRST_NAMES,
  LAST_NAMES,
  PRODUCTS,
  ROLES,
  STREETS,
  TOWNS,
  TRADES,
} from './words.js';

/** The demo organization without the people of the README. References are positions in these lists. */
export interface DemoPlan {
  companies: { name: string; domain: string; address: string; agent: number }[];
  contacts: { name: string; email: string; phone_number: string; company: number; company_role: string }[];
  sales: PlannedSale[];
  tasks: PlannedTask[];
  conversations: PlannedConversation[];
}

export interface PlannedSale {
  company: number;
  contacts: number[];
  owner: number;
  /** How many days ago it entered each stage, from the first one on. */
  entered: number[];
  /** Given on entering the second stage. */
  products: { product_name: string; quantity: number; unit_price: string }[] | null;
}

export interface PlannedTask {
  title: string;
  agent: number;
  about: { company: number } | { contact: number } | { sale: number };
  /** Days from now; negative when it is overdue or done. */
  due: number;
  done: boolean;
}

const COMPANIES = 58;
const CONTACTS = 195;
const SALES = 120;
const TASKS = 150;
/** The last stage reached by each of ten sales. */
const REACHED = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3];
const AREA_CODES = ['212', '312', '415'];

/** The same plan for the same seed and number of agents. */
export function planDemo(seed: number, agents: number): DemoPlan {
  const random = randomFrom(seed);
  const agent = () => random.integer(0, agents - 1);
  const companies = combinations(TOWNS, TRADES, random, COMPANIES).map(([town, trade]) => ({
    name: `${town} ${trade}`,
    domain: `${town}-${trade}.example`.toLowerCase(),
    address: `${random.integer(1, 120)} ${random.pick(STREETS)}, ${random.pick(CITIES)}`,
    agent: agent(),
  }));
  const contacts = combinations(FIRST_NAMES, LAST_NAMES, random, CONTACTS).map(([first, last], nr) => {
    const company = nr % COMPANIES;
    return {
      name: `${first} ${last}`,
      email: `${first}.${last}@${companies[company]!.domain}`.toLowerCase(),
      // 555-0100 to 555-0199 are nobody's (NANPA); the README's people have 555-0101 to 555-0105 of 212.
      phone_number: `+1 ${AREA_CODES[Math.floor(nr / 90)]} 555 01${String(10 + (nr % 90))}`,
      company,
      company_role: random.pick(ROLES),
    };
  });
  const sales = Array.from({ length: SALES }, () => planSale(random, agent()));
  const tasks = Array.from({ length: TASKS }, (_, nr) => planTask(random, nr, agent(), contacts));
  const conversations = planConversations(random, CONTACTS, agents);
  return { companies, contacts, sales, tasks, conversations };
}

function planSale(random: Random, owner: number): PlannedSale {
  const company = random.integer(0, COMPANIES - 1);
  const colleagues = Array.from(
    { length: Math.ceil((CONTACTS - company) / COMPANIES) },
    (_, nr) => company + nr * COMPANIES,
  );
  const entered = [random.integer(2, 90)];
  for (let stage = random.pick(REACHED); stage > 0; stage--)
    entered.push(Math.max(0, entered.at(-1)! - random.integer(1, 20)));
  return {
    company,
    contacts: random.shuffle(colleagues).slice(0, random.integer(1, 2)),
    owner,
    entered,
    products: entered.length === 1 ? null : planQuote(random),
  };
}

const planQuote = (random: Random) =>
  random
    .shuffle(PRODUCTS)
    .slice(0, random.integer(1, 4))
    .map(([product_name, unit_price]) => ({ product_name, quantity: random.integer(1, 40), unit_price }));

function planTask(random: Random, nr: number, agent: number, contacts: DemoPlan['contacts']): PlannedTask {
  const due = random.integer(-30, 21);
  const contact = random.integer(0, CONTACTS - 1);
  const errand = random.pick(ERRANDS);
  return {
    title: `${errand}: ${contacts[contact]!.name}`,
    agent,
    about: [{ contact }, { sale: random.integer(0, SALES - 1) }, { company: contacts[contact]!.company }][
      nr % 3
    ]!,
    due,
    // Due tasks are done, except for some that are overdue.
    done: due < 0 && nr % 5 !== 0,
  };
}

/** `count` different pairs. */
const combinations = (firsts: string[], lasts: string[], random: Random, count: number): [string, string][] =>
  random
    .shuffle(firsts.flatMap((first) => lasts.map((last): [string, string] => [first, last])))
    .slice(0, count);
