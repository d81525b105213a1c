import { DAY } from './calendar.js';
import { type PlannedConversation, planConversations } from './plan-conversations.js';
import { type PlannedCompany, type PlannedContact, planPeople } from './plan-people.js';
import { type PlannedSale, planSales } from './plan-sales.js';
import { type PlannedTask, planTasks } from './plan-tasks.js';
import { type Random, randomFrom } from './random.js';
import { type PlannedFirstMessage, planFirstMessages, planScenes, type Scene } from './scenes.js';

/** The demo organization without the people of the README. References are positions in these lists. */
export interface DemoPlan {
  companies: PlannedCompany[];
  contacts: PlannedContact[];
  sales: LinkedSale[];
  tasks: PlannedTask[];
  conversations: PlannedConversation[];
  scenes: Scene[];
  firstMessages: PlannedFirstMessage[];
}

export interface LinkedSale extends PlannedSale {
  /** Positions of conversations. */
  conversations: number[];
}

/** The same plan for the same seed, number of agents and instant `now`; on another day of the week it is another year. */
export function planDemo(seed: number, agents: number, now: number): DemoPlan {
  // Each of its own, since the day decides how many conversations there are.
  const [people, talk, trade, work] = [1, 2, 3, 4].map((nr) => randomFrom(seed * 10 + nr)) as Four;
  const { companies, contacts } = planPeople(people, agents);
  const sales = planSales(trade, now, companies, contacts, agents);
  const conversations = planConversations(talk, now, contacts, agents);
  return {
    companies,
    contacts,
    sales: sales.map((sale) => ({ ...sale, conversations: talkedOf(sale, conversations) })),
    tasks: planTasks(work, now, { company: companies, contact: contacts, sale: sales }),
    conversations,
    scenes: planScenes(now, contacts),
    firstMessages: planFirstMessages(now),
  };
}

/** The latest conversations that its contacts had begun in the weeks before it was opened. */
function talkedOf({ contacts, entered }: PlannedSale, conversations: PlannedConversation[]): number[] {
  const [to, from] = [entered[0]!, entered[0]! - 60 * DAY];
  const found = contacts.map((contact) =>
    conversations.findLastIndex(
      (one) => one.contact === contact && one.messages[0]!.at < to && one.messages[0]!.at > from,
    ),
  );
  return found.filter((nr) => nr >= 0);
}

type Four = [Random, Random, Random, Random];
