import { arrivals, DAY, workedAfter } from './calendar.js';
import { FIRST_CONTACTS, type Topic, TOPICS } from './dialogues.js';
import type { PlannedContact } from './plan-people.js';
import type { Random } from './random.js';
import { COMMENTS, PRODUCTS } from './words.js';

export interface PlannedConversation {
  contact: number;
  modality: 'email' | 'text' | 'call' | 'live_chat';
  is_form_request: boolean;
  subject: string;
  messages: PlannedMessage[];
  /** Name of its tag. */
  tag: string | null;
  status: 'open' | 'closed' | 'snoozed';
  /** Whether somebody has read what was received last. */
  is_read: boolean;
  comments: PlannedComment[];
}

/** Of agents, by their positions. */
export interface PlannedComment {
  agent: number;
  mentioned: number[];
  body: string;
  at: number;
}

export interface PlannedMessage {
  /** Milliseconds since 1970. */
  at: number;
  /** The position of the agent who sent it; null for one that was received. */
  agent: number | null;
  content: string;
}

const MINUTE = 60_000;
/** A year of them. */
const DAYS = 364;
const ON_A_DAY = 4;
/** Minutes of office hours that an agent takes for an ordinary answer, by position. */
const PACES = [6, 25, 12, 50, 110];
/** What an answer takes beside an ordinary one. */
const FACTORS = [0.2, 0.4, 0.7, 0.9, 1, 1.3, 2, 4];
/** The same by channel. */
const HASTE = { email: 1, call: 0.6, text: 0.4, live_chat: 0.04 };
/** Of twenty conversations, how each began. */
const BEGINNINGS = [
  ...['email', 'email', 'email', 'email', 'email', 'email', 'email', 'email', 'form', 'form'],
  ...['text', 'text', 'text', 'call', 'call', 'live_chat', 'live_chat', 'live_chat', 'us', 'us'],
] as const;

/**
 * A year of traffic up to `now`, oldest first: most conversations answered, by the agent of the contact's company or by a colleague,
 * and those that have long been over closed.
 */
export function planConversations(
  random: Random,
  now: number,
  contacts: PlannedContact[],
  agents: number,
): PlannedConversation[] {
  const byWeight = TOPICS.flatMap((topic) => Array.from({ length: topic.weight }, () => topic));
  const planned = arrivals(random, now, DAYS, ON_A_DAY).map((begun) => {
    const contact = random.integer(0, contacts.length - 1);
    const { name, agent: owner } = contacts[contact]!;
    const agent = random.chance(0.8) ? owner : random.integer(0, agents - 1);
    const beginning = random.pick(BEGINNINGS);
    const modality = beginning === 'form' || beginning === 'us' ? 'email' : beginning;
    const topic = random.pick(byWeight);
    const said = wordsOf(random, topic, name, modality);
    const first = random.pick(FIRST_CONTACTS);
    const messages =
      beginning === 'us'
        ? firstContact(random, begun, agent, said, first[1])
        : exchange(random, begun, agent, said, modality, now);
    return {
      contact,
      modality,
      is_form_request: beginning === 'form',
      subject: beginning === 'us' ? first[0] : topic.subject,
      messages: messages.filter(({ at }) => at < now - MINUTE),
      tag: (topic.tag && beginning !== 'us' && random.chance(0.6) && topic.tag) || null,
      ...outcomeOf(random, messages.at(-1)!, now),
      comments: random.chance(0.04) ? [planComment(random, agent, agents, begun, now)] : [],
    };
  });
  // What somebody here would write on the next working day is not there yet.
  return planned
    .filter(({ messages }) => messages.length > 0)
    .sort((one, other) => one.messages[0]!.at - other.messages[0]!.at);
}

/** The sentences of a conversation, as one writes them on its channel. */
interface Said {
  question: string;
  answer(agent: number): string;
  further(): string;
  ending(agent: number): string;
  letter(text: string, agent: number | null): string;
}

const AGENT_NAMES = ['Ada', 'Alan', 'Grace', 'Katherine', 'Tim'];

function wordsOf(random: Random, topic: Topic, name: string, modality: string): Said {
  const [product] = random.pick(PRODUCTS);
  const who = name.split(' ')[0]!;
  const letter = (text: string, agent: number | null) => {
    const filled = text.replaceAll('{product}', product.split(',')[0]!.toLowerCase());
    if (modality !== 'email') return filled;
    return agent === null
      ? `Hello,\n\n${filled}\n\n${name}`
      : `Dear ${who},\n\n${filled}\n\nKind regards\n${AGENT_NAMES[agent] ?? 'Northwind Traders'}`;
  };
  return {
    question: letter(random.pick(topic.questions), null),
    answer: (agent) => letter(random.pick(topic.answers), agent),
    further: () => letter(random.pick(topic.further), null),
    ending: (agent) => letter(random.pick(topic.endings), agent),
    letter,
  };
}

function exchange(
  random: Random,
  begun: number,
  agent: number,
  said: Said,
  modality: keyof typeof HASTE,
  now: number,
): PlannedMessage[] {
  const messages: PlannedMessage[] = [{ at: begun, agent: null, content: said.question }];
  const isRecent = begun > now - 5 * DAY;
  if (random.chance(isRecent ? 0.25 : 0.05)) return messages;
  for (let turns = random.pick([1, 1, 1, 2, 2]); turns > 0; turns--) {
    const minutes = PACES[agent % PACES.length]! * random.pick(FACTORS) * HASTE[modality];
    const at = workedAfter(messages.at(-1)!.at, minutes * MINUTE + random.integer(9_000, 59_000));
    const content = messages.length === 1 ? said.answer(agent) : said.ending(agent);
    // Some have not been answered a second time yet.
    if (messages.length > 1 && isRecent && random.chance(0.4)) return messages;
    messages.push({ at, agent, content });
    if (turns > 1) messages.push({ at: later(random, at, modality), agent: null, content: said.further() });
  }
  return messages;
}

/** An agent writes first; one in two answers. */
function firstContact(random: Random, begun: number, agent: number, said: Said, text: string) {
  const at = workedAfter(begun, random.integer(1, 59_000));
  const messages: PlannedMessage[] = [{ at, agent, content: said.letter(text, agent) }];
  if (random.chance(0.5)) return messages;
  messages.push({ at: later(random, at, 'email'), agent: null, content: said.further() });
  const answered = workedAfter(messages.at(-1)!.at, PACES[agent % PACES.length]! * MINUTE);
  return [...messages, { at: answered, agent, content: said.ending(agent) }];
}

const later = (random: Random, at: number, modality: string): number =>
  modality === 'live_chat'
    ? at + random.integer(20_000, 200_000)
    : workedAfter(at, random.integer(10, 400) * MINUTE + random.integer(0, 59_999));

/** What became of it: some of the answered ones are open still, and a few are put off. */
function outcomeOf(random: Random, last: PlannedMessage, now: number) {
  const days = (now - last.at) / DAY;
  const isAnswered = last.agent !== null;
  const isClosed = random.chance(days > 8 ? 0.95 : isAnswered ? 0.5 : 0.1);
  const isSnoozed = !isClosed && random.chance(days < 8 ? 0.12 : 0);
  const is_read = random.chance(isClosed || days > 3 ? 1 : 0.4);
  return { status: isClosed ? 'closed' : isSnoozed ? 'snoozed' : 'open', is_read } as const;
}

function planComment(
  random: Random,
  agent: number,
  agents: number,
  begun: number,
  now: number,
): PlannedComment {
  const at = Math.min(workedAfter(begun, random.integer(5, 200) * MINUTE), now - MINUTE);
  const colleague = (agent + random.integer(1, agents - 1)) % agents;
  const mentioned = random.chance(0.5) ? [colleague] : [];
  return { agent, mentioned, body: random.pick(COMMENTS), at };
}
