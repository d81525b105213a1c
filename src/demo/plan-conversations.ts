import type { Random } from './random.js';
import { ANSWERS, QUESTIONS } from './words.js';

export interface PlannedConversation {
  contact: number;
  modality: 'email' | 'text' | 'call' | 'live_chat';
  is_form_request: boolean;
  subject: string;
  messages: PlannedMessage[];
}

export interface PlannedMessage {
  /** How many seconds ago. */
  ago: number;
  /** The position of the agent who sent it; null for one that was received. */
  agent: number | null;
  content: string;
}

const CONVERSATIONS = 600;
const MONTHS_S = 182 * 24 * 3_600;
/** Of ten conversations, how each began. */
const BEGINNINGS = [
  ...['email', 'email', 'email', 'email', 'form'],
  ...['text', 'text', 'call', 'live_chat', 'live_chat'],
] as const;
/** Seconds from a question to its answer: most within hours, some the next day. */
const DELAYS = [120, 480, 1_500, 3_000, 6_600, 14_000, 30_000, 81_000];

/** Half a year of traffic: most conversations answered, some twice, some not yet. */
export const planConversations = (random: Random, contacts: number, agents: number): PlannedConversation[] =>
  Array.from({ length: CONVERSATIONS }, () => {
    const beginning = random.pick(BEGINNINGS);
    const [subject, question] = random.pick(QUESTIONS);
    return {
      contact: random.integer(0, contacts - 1),
      modality: beginning === 'form' ? 'email' : beginning,
      is_form_request: beginning === 'form',
      subject,
      messages: exchange(random, random.integer(0, agents - 1), question),
    };
  });

function exchange(random: Random, agent: number, question: string): PlannedMessage[] {
  let ago = random.integer(3_600, MONTHS_S);
  const messages: PlannedMessage[] = [{ ago, agent: null, content: question }];
  for (let turns = random.pick([0, 1, 1, 1, 2, 2, 3]); turns > 0; turns--) {
    ago -= random.pick(DELAYS) + random.integer(0, 300);
    messages.push({ ago, agent, content: random.pick(ANSWERS) });
    ago -= random.pick(DELAYS) * 2;
    if (turns > 1) messages.push({ ago, agent: null, content: random.pick(QUESTIONS)[1] });
  }
  // Drops messages that would lie in the future.
  return messages.filter((message) => message.ago > 60);
}
