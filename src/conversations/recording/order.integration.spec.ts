import { AT_COMMAND_LINE, systemContext } from '#kernel/context.js';
import { groupBy } from '#event-store/group-by.js';
import { ProjectionRunner } from '#event-store/projection-runner.js';
import { rowsProjection } from '#event-store/projection.js';
import { verify } from '#event-store/verify.js';
import { analytics } from '../../../test/support/data/figures.js';
import { handlersOn, type Handlers } from '../../../test/support/database/handlers.js';
import { mailingList, phoneHistory, type Told } from '../../../test/support/data/mail-history.js';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { cases, randomFrom } from '../../../test/support/random.js';
import { untilAllIsReadable } from '../../../test/support/until.js';
import { conversations } from '../conversations.projection.js';
import { RecordMessage } from './record-batch.js';

const MESSAGES = Number(process.env['PARLEY_THREADING_MESSAGES'] ?? cases(2_000));
const AT_ONCE = 8;
/** The machine may be busy. */
const LIMIT_MS = 60_000 + MESSAGES * 300;
const THIRTY_DAYS = 30 * 86_400_000;

const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let test: TestDatabase;
let handlers: Handlers;
let runner: ProjectionRunner;
beforeAll(async () => {
  test = await testDatabase();
  handlers = handlersOn(test.database);
  runner = new ProjectionRunner(test.database, [analytics], {}, () => {});
});
afterAll(() => test.close());

/** A conversation as nobody's ids show it, by what is in it. */
interface Shown {
  messages: string[];
  start_at: string;
  last_activity_at: string;
  first_inbound_at: string | null;
  first_response_at: string | null;
}

/** What an organization holds that is told these messages, so many at once. */
async function recorded(told: Told[], atOnce: number): Promise<Shown[]> {
  const { organization_id } = await handlers.organizations.create(AT_COMMAND_LINE, { name: 'List' });
  const context = systemContext(organization_id);
  const left = told.toReversed();
  const work = async () => {
    for (let message = left.pop(); message; message = left.pop())
      await handlers.recordMessage.execute(new RecordMessage(context, message));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await untilAllIsReadable(test.database);
  await runner.catchUp();
  return test.database.query<Shown>({
    text: `SELECT array_agg(external_id ORDER BY external_id) AS messages, c.start_at, c.last_activity_at,
                  f.first_inbound_at, f.first_response_at
             FROM conversation c JOIN message USING (organization_id, conversation_id)
             JOIN analytics_conversation f USING (organization_id, conversation_id)
            WHERE organization_id = $1
            GROUP BY organization_id, conversation_id, f.first_inbound_at, f.first_response_at ORDER BY min(external_id)`,
    values: [organization_id],
  });
}

/** The same worked out from groups of messages that are known to belong together. */
const shownOf = (groups: Told[][]): Shown[] =>
  groups
    .map((group) => {
      const times = group.map(({ sent_at }) => sent_at).sort();
      const of = (direction: string, after = '') =>
        group
          .filter(({ message_direction, sent_at }) => message_direction === direction && sent_at > after)
          .map(({ sent_at }) => sent_at)
          .sort()[0] ?? null;
      const first_inbound_at = of('received');
      return {
        messages: group.map(({ external_id }) => external_id).sort(),
        start_at: times[0]!,
        last_activity_at: times.at(-1)!,
        first_inbound_at,
        first_response_at: first_inbound_at && of('sent', first_inbound_at),
      };
    })
    .sort((one, other) => (one.messages[0]! < other.messages[0]! ? -1 : 1));

/** Mails that name one another, or the same missing one by the same author, belong together: union-find over the ids. */
function threadsOf(told: Told[]): Told[][] {
  const parents = new Map<string, string>();
  const root = (one: string): string => {
    const parent = parents.get(one) ?? one;
    if (parent === one) return one;
    parents.set(one, root(parent));
    return parents.get(one)!;
  };
  const idOf = ({ email_metadata }: Told) => email_metadata.email_message_id!.slice(1, -1);
  const present = new Set(told.map(idOf));
  for (const mail of told) {
    const author = mail.party!.contact_id === undefined ? mail.party!.email : '';
    for (const named of [...mail.email_metadata.in_reply_to, ...mail.email_metadata.references])
      parents.set(root(idOf(mail)), root(present.has(named) ? named : `${named} ${author}`));
  }
  return groupBy(told, (mail) => root(idOf(mail))).map(([, group]) => group);
}

/** Messages of one person on one channel, each less than 30 days after the one before. */
function talksOf(told: Told[]): Told[][] {
  const talks: Told[][] = [];
  const latest = new Map<string, Told[]>();
  for (const message of told) {
    const key = `${message.modality} ${message.party!.contact_id === undefined ? message.party!.email : ''}`;
    const talk = latest.get(key);
    if (talk && Date.parse(message.sent_at) - Date.parse(talk.at(-1)!.sent_at) < THIRTY_DAYS)
      talk.push(message);
    else talks.push(latest.set(key, [message]).get(key)!);
  }
  return talks;
}

const HISTORIES = [
  [MESSAGES, 'mails of a mailing list', mailingList, threadsOf],
  [MESSAGES / 4, 'texts, calls and chats', phoneHistory, talksOf],
] as const;

describe('the order in which messages come in makes no difference', () => {
  it.each(HISTORIES)(
    `to %i %s (seed ${seed})`,
    async (count, _, history, groupsOf) => {
      const random = randomFrom(seed);
      const told = history(random, count);
      const expected = shownOf(groupsOf(told));
      expect(await recorded(told, 1)).toEqual(expected);
      expect(await recorded(random.sample(told, told.length), AT_ONCE)).toEqual(expected);
    },
    LIMIT_MS,
  );

  it.each([
    ['conversations', rowsProjection(conversations), 'inline'],
    ['figures', analytics, 'async'],
  ] as const)(
    'and the rows of %s are what the events say',
    async (_, projection, kind) => {
      const job = { database: test.database, projection, kind, upcasters: {} };
      expect(await verify(job)).toEqual([]);
    },
    LIMIT_MS,
  );
});
