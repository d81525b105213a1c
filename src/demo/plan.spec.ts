import { groupBy } from '#event-store/group-by.js';
import { isPhoneNumber } from '#http/input/fields.js';
import { inUnits } from '#kernel/money.js';
import { planDemo } from './plan.js';

const DAY = 86_400_000;
/** A Thursday afternoon. */
const NOW = Date.parse('2026-03-12T15:20:00Z');
const plan = planDemo(1, 5, NOW);
/** As it is on other days: a Sunday, New Year's Day at midnight, and the last minute of a day. */
const PLANS = ['2026-03-15T03:00:00Z', '2027-01-01T00:00:00Z', '2026-06-30T23:59:30Z'].map(
  (at) => [at, Date.parse(at), planDemo(1, 5, Date.parse(at))] as const,
);

const talk = plan.conversations;
const begunAt = talk.map(({ messages }) => new Date(messages[0]!.at));
const share = (dates: Date[], has: (date: Date) => boolean) => dates.filter(has).length / dates.length;
const isWeekend = (date: Date) => [0, 6].includes(date.getUTCDay());

describe('the plan of the demo', () => {
  it('is the same for the same seed and instant, and another for another seed', () => {
    expect(planDemo(1, 5, NOW)).toEqual(plan);
    expect(planDemo(2, 5, NOW)).not.toEqual(plan);
  });

  it('has, with the people of the README, 60 companies, 200 contacts, 120 sales and 150 tasks, and over a thousand conversations', () => {
    const counts = Object.entries(plan).map(([kind, { length }]) => [kind, length]);
    expect(Object.fromEntries(counts)).toMatchObject({
      companies: 58,
      contacts: 194,
      sales: 120,
      tasks: 150,
      scenes: 5,
    });
    expect(talk.length).toBeGreaterThan(1_000);
  });

  it.each<[string, string[]]>([
    ['companies by name', plan.companies.map(({ name }) => name)],
    ['companies by domain', plan.companies.map(({ domain }) => domain)],
    ['contacts by name', plan.contacts.map(({ name }) => name)],
    ['contacts by e-mail', plan.contacts.map(({ email }) => email)],
    ['contacts by phone number', plan.contacts.map(({ phone_number }) => phone_number)],
  ])('tells apart %s', (_, values) => expect(new Set(values).size).toBe(values.length));

  it('has phone numbers that the API would take, and addresses in ASCII', () => {
    for (const { phone_number, email } of plan.contacts) {
      expect([phone_number, isPhoneNumber(phone_number)]).toEqual([phone_number, true]);
      expect(email).toMatch(/^[a-z.-]+@[a-z-]+\.example$/);
    }
  });
});

describe('the conversations of the demo', () => {
  it('go back a year, oldest first, with messages in order, and none lies in the future', () => {
    for (const [at, now, { conversations, scenes }] of [['now', NOW, plan] as const, ...PLANS]) {
      const starts = conversations.map(({ messages }) => messages[0]!.at);
      expect([at, starts]).toEqual([at, starts.toSorted((one, other) => one - other)]);
      expect(now - starts[0]!).toBeGreaterThan(350 * DAY);
      for (const { messages } of [...conversations, ...scenes]) {
        const instants = messages.map((message) => message.at);
        expect(instants).toEqual(instants.toSorted((one, other) => one - other));
        expect(instants.at(-1)).toBeLessThan(now);
      }
    }
  });

  it('begin on weekday mornings more than at any other time, seldom at weekends and hardly at night', () => {
    expect(share(begunAt, isWeekend)).toBeLessThan(0.1);
    expect(share(begunAt, isWeekend)).toBeGreaterThan(0.01);
    expect(share(begunAt, (date) => date.getUTCHours() < 5)).toBeLessThan(0.01);
    const isMorning = (date: Date) => date.getUTCHours() >= 8 && date.getUTCHours() < 12;
    expect(share(begunAt, isMorning)).toBeGreaterThan(0.5);
    const onDays = groupBy(begunAt, (date) => date.toISOString().slice(0, 10));
    expect(Math.max(...onDays.map(([, begun]) => begun.length))).toBeGreaterThan(10);
  });

  it('come by every channel, and by form', () => {
    const kinds = new Set(talk.map((one) => (one.is_form_request ? 'form' : one.modality)));
    expect([...kinds].sort()).toEqual(['call', 'email', 'form', 'live_chat', 'text']);
  });

  it('are answered by each agent at a pace of their own, in office hours, and some not yet', () => {
    const answers: number[][] = [[], [], [], [], []];
    for (const { messages } of talk)
      for (const [nr, { at, agent }] of messages.entries())
        if (nr > 0 && agent !== null) {
          answers[agent]!.push(at - messages[nr - 1]!.at);
          expect(isWeekend(new Date(at))).toBe(false);
        }
    const medians = answers.map((waits) => waits.toSorted((one, other) => one - other)[waits.length >> 1]!);
    expect(answers.every(({ length }) => length > 20)).toBe(true);
    expect(Math.max(...medians)).toBeGreaterThan(4 * Math.min(...medians));
    for (const [, , { conversations }] of PLANS) {
      const waiting = conversations.filter(
        ({ status, messages }) => status === 'open' && messages.at(-1)!.agent === null,
      );
      expect(waiting.length).toBeGreaterThan(3);
    }
  });

  it('are closed once they are long over, but for a few', () => {
    const old = talk.filter(({ messages }) => messages.at(-1)!.at < NOW - 30 * DAY);
    expect(old.filter(({ status }) => status === 'closed').length / old.length).toBeGreaterThan(0.85);
    for (const status of ['open', 'snoozed']) expect(talk.some((one) => one.status === status)).toBe(true);
  });

  it('have one in Japanese, one in Arabic, and replies that were refused, that may have left, and that are only saved', () => {
    const said = plan.scenes.map(({ messages }) => messages.map(({ content }) => content).join());
    expect(said.some((text) => /\p{Script=Hiragana}/u.test(text))).toBe(true);
    expect(said.some((text) => /\p{Script=Arabic}/u.test(text))).toBe(true);
    const fates = plan.scenes.flatMap(({ reply }) => (reply ? [reply.fate.kind] : []));
    expect(new Set(fates)).toEqual(new Set(['saved', 'failed', 'uncertain']));
  });
});

describe('the sales of the demo', () => {
  it('are in every stage, each with a quote once it has been quoted, in two currencies', () => {
    for (const stages of [1, 2, 3, 4])
      expect(plan.sales.filter(({ entered }) => entered.length === stages).length).toBeGreaterThan(5);
    for (const { entered, quote } of plan.sales) expect(quote !== null).toBe(entered.length > 1);
    const currencies = plan.sales.flatMap(({ quote }) => (quote ? [quote.currency] : []));
    expect(new Set(currencies)).toEqual(new Set(['GBP', 'EUR']));
  });

  it('have the same amounts on every day', () => {
    const amounts = ({ sales }: typeof plan) =>
      sales.flatMap(({ quote }) =>
        quote?.products.map(({ unit_price, quantity }) => [inUnits(unit_price), quantity]),
      );
    for (const [, , other] of PLANS) expect(amounts(other)).toEqual(amounts(plan));
  });

  it('entered their stages one after the other, and none in the future', () => {
    for (const [, now, { sales }] of PLANS)
      for (const { entered } of sales) {
        expect(entered).toEqual([...new Set(entered)].sort((one, other) => one - other));
        expect(entered.at(-1)).toBeLessThan(now);
      }
  });

  it('take their contacts from their company, and some are talked about with them', () => {
    for (const { company, contacts, conversations } of plan.sales) {
      expect(contacts.length).toBeGreaterThan(0);
      for (const nr of contacts) expect(plan.contacts[nr]?.company).toBe(company);
      for (const nr of conversations) expect(contacts).toContain(talk[nr]!.contact);
    }
    expect(plan.sales.filter(({ conversations }) => conversations.length > 0).length).toBeGreaterThan(20);
  });
});

it('the tasks of the demo are overdue, due today, due later, without a time, and done', () => {
  for (const [at, now, { tasks }] of PLANS) {
    const open = tasks.filter(({ completed }) => completed === null);
    const endOfDay = Date.parse(`${at.slice(0, 10)}T24:00:00Z`);
    const counts = [
      open.filter(({ due }) => due !== null && due < now).length,
      open.filter(({ due }) => due !== null && due >= now && due < endOfDay).length,
      open.filter(({ due }) => due !== null && due >= endOfDay).length,
      open.filter(({ due }) => due === null).length,
      tasks.filter(({ completed }) => completed !== null && completed < now).length,
    ];
    expect([at, ...counts]).toEqual([at, 9, 7, 22, 6, 106]);
  }
});
