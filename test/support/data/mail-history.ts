import { type Instant, plusSeconds } from '#kernel/instant.js';
import type { MessageToRecord } from '../../../src/conversations/recording/message-to-record.js';
import { inbound } from '../../../src/conversations/inbound/inbound-message.js';
import type { Random } from '../random.js';

/** A message of a made-up history. */
export type Told = MessageToRecord & { sent_at: Instant; external_id: string };

const BEGINNING = '2026-01-01T00:00:00.000000Z';
const DAY = 86_400;

/** Later than all before it: no two messages are sent at once. */
const clock = () => {
  let at = BEGINNING;
  return (seconds: number): Instant => (at = plusSeconds(at, seconds + 0.000001));
};

/**
 * The history of a mailing list, in the order of sending: threads that branch, mailers that name all mails of the
 * thread, only its first and last ones, or only the one before; and mails that everybody has but us.
 */
export function mailingList(random: Random, count: number): Told[] {
  const time = clock();
  const open: Thread[] = [];
  const told: Told[] = [];
  for (let nr = 0; told.length < count; nr++) {
    if (open.length < 40 && random.chance(0.15)) open.push({ nr, mails: [] });
    const thread = random.sample(open, 1)[0];
    if (!thread) continue;
    const answered = thread.mails.length === 0 ? null : random.sample(thread.mails.slice(-6), 1)[0]!;
    const mail = { id: `mail-${nr}@list.example`, before: answered ? [...answered.before, answered.id] : [] };
    thread.mails.push(mail);
    if (random.chance(0.04)) open.splice(open.indexOf(thread), 1);
    const sent_at = time(random.integer(1, 3_600));
    if (!random.chance(0.05)) told.push(mailOf(random, thread, mail, sent_at));
  }
  return told;
}

interface Thread {
  nr: number;
  mails: Mail[];
}

/** A mail with the ids of those before it in its branch, the first of the thread first. */
interface Mail {
  id: string;
  before: string[];
}

function mailOf(random: Random, thread: Thread, { id, before }: Mail, sent_at: Instant): Told {
  const isSent = random.chance(0.25);
  const author = `author-${thread.nr % 7}-${random.integer(1, 5)}@list.example`;
  return {
    ...inbound({
      party: { name: '', email: author, phone_number: '' },
      modality: 'email',
      message_direction: isSent ? 'sent' : 'received',
      content: id,
      external_id: null,
      is_auto_reply: !isSent && random.chance(0.05),
      email_metadata: {
        email_message_id: `<${id}>`,
        ...headersOf(random, before),
        cc_emails: [],
        bcc_emails: [],
      },
    }),
    external_id: `email:<${id}>`,
    sent_at,
  };
}

function headersOf(random: Random, before: string[]): { in_reply_to: string[]; references: string[] } {
  const last = before.slice(-1);
  const kind = random.fraction();
  if (kind < 0.25) return { in_reply_to: last, references: [] };
  if (kind < 0.4)
    return { in_reply_to: last, references: [...new Set([...before.slice(0, 1), ...before.slice(-3)])] };
  return { in_reply_to: kind < 0.5 ? [] : last, references: before };
}

/** Texts, calls and chats of some people, in the order of sending, seconds to months apart. */
export function phoneHistory(random: Random, count: number): Told[] {
  const time = clock();
  return Array.from({ length: count }, (_, nr) => ({
    ...inbound({
      party: { name: '', email: `caller-${random.integer(1, count / 20)}@phone.example`, phone_number: '' },
      modality: random.sample(['text', 'call', 'live_chat'], 1)[0]!,
      message_direction: random.chance(0.4) ? 'sent' : 'received',
      content: `message ${nr}`,
      external_id: null,
    }),
    external_id: `message-${nr}`,
    sent_at: time((random.integer(1, 60 * 60) * DAY) / count),
  }));
}
