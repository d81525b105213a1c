import { isPhoneNumber } from '#http/input/fields.js';
import { planDemo } from './plan.js';

const plan = planDemo(1, 3);

describe('the plan of the demo', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planDemo(1, 3)).toEqual(plan);
    expect(planDemo(2, 3)).not.toEqual(plan);
  });

  it('has, with the people of the README, 60 companies, 200 contacts, 120 sales, 150 tasks and 600 conversations', () => {
    const counts = Object.entries(plan).map(([kind, { length }]) => [kind, length]);
    expect(Object.fromEntries(counts)).toEqual({
      companies: 58,
      contacts: 195,
      sales: 120,
      tasks: 150,
      conversations: 600,
    });
  });

  it.each<[string, string[]]>([
    ['companies by name', plan.companies.map(({ name }) => name)],
    ['companies by domain', plan.companies.map(({ domain }) => domain)],
    ['contacts by name', plan.contacts.map(({ name }) => name)],
    ['contacts by e-mail', plan.contacts.map(({ email }) => email)],
    ['contacts by phone number', plan.contacts.map(({ phone_number }) => phone_number)],
  ])('tells apart %s', (_, values) => expect(new Set(values).size).toBe(values.length));

  it('has phone numbers that the API would take', () =>
    expect(
      plan.contacts.map(({ phone_number }) => phone_number).filter((one) => !isPhoneNumber(one)),
    ).toEqual([]));

  it('has sales in every stage, each with a quote once it has been quoted', () => {
    for (const stages of [1, 2, 3, 4])
      expect(plan.sales.filter(({ entered }) => entered.length === stages).length).toBeGreaterThan(5);
    for (const { entered, products } of plan.sales) expect(products !== null).toBe(entered.length > 1);
  });

  it('has half a year of messages, in order, some answered and some not', () => {
    for (const { messages } of plan.conversations) {
      const instants = messages.map(({ ago }) => ago);
      expect(instants).toEqual(instants.toSorted((one, other) => other - one));
      expect(instants.at(-1)).toBeGreaterThan(0);
    }
    const oldest = Math.max(...plan.conversations.map(({ messages }) => messages[0]!.ago));
    expect(oldest).toBeGreaterThan(170 * 24 * 3_600);
    const answered = plan.conversations.filter(({ messages }) =>
      messages.some(({ agent }) => agent !== null),
    );
    expect(answered.length).toBeGreaterThan(400);
    expect(answered.length).toBeLessThan(600);
  });

  it('takes the contacts of a sale from its company', () => {
    for (const { company, contacts } of plan.sales) {
      expect(contacts.length).toBeGreaterThan(0);
      for (const nr of contacts) expect(plan.contacts[nr]?.company).toBe(company);
    }
  });
});
