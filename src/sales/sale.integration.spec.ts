import { AT_COMMAND_LINE } from '#kernel/context.js';
import fc from 'fast-check';
import { sameValue } from '#kernel/same.js';
import { fold } from '#event-store/aggregate.js';
import { eventsOf } from '../../test/support/database/events.js';
import {
  type Handlers,
  handlersOn,
  say,
  type Universe,
  universeOf,
} from '../../test/support/database/handlers.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { cases } from '../../test/support/random.js';
import { type Sale } from './sale.js';
import { stampedSale } from './shown-sale.js';
import type { SaleResponse } from './sales.dto.js';
import { sales } from './sales.projection.js';
import { OpenSale } from './open-sale.js';
import { QuoteSale } from './quote-sale.js';
import { UpdateSale } from './update-sale.js';

let test: TestDatabase;
let handlers: Handlers;
let universe: Universe;

beforeAll(async () => {
  test = await testDatabase();
  handlers = handlersOn(test.database);
  universe = await universeOf(handlers);
  const { organizationId } = universe.context;
  await handlers.customFields.define(AT_COMMAND_LINE, organizationId, 'sales', {
    label: 'Size',
    type: 'number',
    default: 1,
  });
  await handlers.customFields.define(AT_COMMAND_LINE, organizationId, 'sales', {
    label: 'Note',
    type: 'string',
  });
});

afterAll(() => test.close());

/** What the contract says of a sale, told once more, in the simplest words. */
interface Model {
  company_id: string | null;
  owner_id: string | null;
  associated_contacts: { contact_id: string; is_primary: boolean }[];
  associated_conversation_ids: string[];
  custom_fields: Record<string, unknown>;
  stages: string[];
  quote: string | null;
  name: string | null;
  expected_close_on: string | null;
  metadata: Record<string, string>;
  /** Whether it has been in a stage that closes it. */
  closed: boolean;
}

type Contacts = { contact_id: string; is_primary?: boolean }[];

interface Body {
  status_id?: string;
  company_id?: string | null;
  owner_id?: string | null;
  associated_contacts?: Contacts | null;
  conversation_ids?: string[] | null;
  custom_fields?: Record<string, unknown> | null;
  name?: string | null;
  expected_close_on?: string | null;
  metadata?: Record<string, string> | null;
}

type Command = { do: 'patch'; body: Body } | { do: 'quote'; total: string } | { do: 'message'; in: string };

/** The place of the stage that is tagged `accepted`. */
const ACCEPTED = 2;

const NOWHERE = 'company_01hzy3v7q4e8k9m2n5p6r7s8t9';

const mostly = (kind: 'stages' | 'companies' | 'agents' | 'contacts' | 'conversations') =>
  fc.nat(14).map((nr) => {
    const ids = universe[kind];
    return nr === 14 ? NOWHERE : ids[nr % ids.length]!;
  });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 3 });

const body = fc.record(
  {
    status_id: mostly('stages'),
    company_id: maybe(mostly('companies')),
    owner_id: maybe(mostly('agents')),
    associated_contacts: maybe(
      fc.array(
        fc.record(
          { contact_id: mostly('contacts'), is_primary: fc.boolean() },
          { requiredKeys: ['contact_id'] },
        ),
        { maxLength: 3 },
      ),
    ),
    conversation_ids: maybe(fc.array(mostly('conversations'), { maxLength: 3 })),
    custom_fields: maybe(
      fc.dictionary(fc.constantFrom('size', 'note', 'size', 'note', 'nope'), fc.constantFrom(null, 1, 'x'), {
        maxKeys: 2,
      }),
    ),
    name: maybe(fc.constantFrom('Chairs', 'Tables')),
    expected_close_on: maybe(fc.constantFrom('2026-02-28', '2028-02-29')),
    metadata: maybe(fc.dictionary(fc.constantFrom('region', 'tier'), fc.constantFrom('', 'east'))),
  },
  { requiredKeys: [] },
);

const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: body.map((given): Command => ({ do: 'patch', body: given })) },
    { weight: 1, arbitrary: fc.constantFrom('1.5', '2').map((total): Command => ({ do: 'quote', total })) },
    {
      weight: 2,
      arbitrary: fc.nat(1).map((nr): Command => ({ do: 'message', in: universe.conversations[nr]! })),
    },
  ),
  { minLength: 1, maxLength: 12 },
);

const known = (kind: keyof Omit<Universe, 'context'>, id: string) => universe[kind].includes(id);

/** The codes of every rule that the body breaks. */
function broken(before: Model | null, given: Body, after: Model): string[] {
  const contacts = given.associated_contacts ?? [];
  const values = Object.entries(given.custom_fields ?? {});
  const wrong = [
    given.status_id !== undefined && !known('stages', given.status_id),
    given.company_id != null && !known('companies', given.company_id),
    given.owner_id != null && !known('agents', given.owner_id),
    !contacts.every(({ contact_id }) => known('contacts', contact_id)),
    new Set(contacts.map(({ contact_id }) => contact_id)).size < contacts.length,
    contacts.filter(({ is_primary }) => is_primary).length > 1,
    !(given.conversation_ids ?? []).every((id) => known('conversations', id)),
    values.some(
      ([key, value]) =>
        value !== null &&
        typeof value !== ({ size: 'number', note: 'string' } as Record<string, string>)[key],
    ),
    values.some(([key]) => key === 'nope'),
  ];
  const left = before?.stages.filter((id) => id !== before.stages.at(-1)) ?? [];
  return [
    ...(wrong.includes(true) ? ['validation_failed'] : []),
    ...(after.company_id === null && after.associated_contacts.length === 0 ? ['no_linked_party'] : []),
    ...(given.status_id !== undefined && left.includes(given.status_id) ? ['stage_already_used'] : []),
  ];
}

/** The sale once the body is applied, whether it may be or not. */
function applied(before: Model, given: Body): Model {
  const contacts = given.associated_contacts ?? [];
  const marked = contacts.some(({ is_primary }) => is_primary);
  return {
    ...before,
    ...(given.status_id !== undefined && {
      stages: [...before.stages, given.status_id],
      closed: before.closed || given.status_id === universe.stages[ACCEPTED],
    }),
    ...(given.company_id !== undefined && { company_id: given.company_id }),
    ...(given.owner_id !== undefined && { owner_id: given.owner_id }),
    ...(given.associated_contacts !== undefined && {
      associated_contacts: contacts.map(({ contact_id, is_primary }, nr) => ({
        contact_id,
        is_primary: marked ? is_primary === true : nr === 0,
      })),
    }),
    ...(given.conversation_ids !== undefined && {
      associated_conversation_ids: [...new Set(given.conversation_ids ?? [])],
    }),
    ...(given.custom_fields !== undefined && {
      custom_fields: given.custom_fields === null ? {} : { ...before.custom_fields, ...given.custom_fields },
    }),
    ...(given.name !== undefined && { name: given.name }),
    ...(given.expected_close_on !== undefined && { expected_close_on: given.expected_close_on }),
    ...(given.metadata !== undefined && { metadata: given.metadata ?? {} }),
  };
}

const NOTHING: Model = {
  company_id: null,
  owner_id: null,
  associated_contacts: [],
  associated_conversation_ids: [],
  custom_fields: { size: 1 },
  stages: [],
  quote: null,
  name: null,
  expected_close_on: null,
  metadata: {},
  closed: false,
};

const modelOf = (shown: SaleResponse): Model => ({
  company_id: shown.company_id,
  owner_id: shown.owner_id,
  associated_contacts: shown.associated_contacts,
  associated_conversation_ids: shown.associated_conversation_ids,
  custom_fields: shown.custom_fields,
  stages: shown.status_history.map(({ status_id }) => status_id),
  quote: shown.quote_details?.output.total_price ?? null,
  name: shown.name,
  expected_close_on: shown.expected_close_on,
  metadata: shown.metadata,
  closed: shown.closed_at !== null,
});

/** What `work` gives, or the code of its refusal. */
const outcome = (work: Promise<SaleResponse>): Promise<SaleResponse | string> =>
  work.catch((error: { code?: string }) => {
    if (error.code === undefined) throw error;
    return error.code;
  });

/** The sale as it is read back; the row, the events and the rows of its conversations must say the same. */
async function readBack(id: string): Promise<SaleResponse> {
  const { organizationId } = universe.context;
  const shown = await handlers.sales.sale(organizationId, id);
  const events = await eventsOf(test.database, organizationId, id);
  const { state, version } = await handlers.store.load(test.database, organizationId, sales, id);
  expect(version).toBe(events.length);
  const folded = fold(sales, events) as Sale;
  expect(state).toEqual(folded);
  expect(shown).toEqual(stampedSale(folded));
  for (const conversation of universe.conversations) {
    const ids = await handlers.sales.salesOfConversations(test.database, organizationId, [conversation]);
    expect([conversation, ids.includes(id)]).toEqual([
      conversation,
      shown!.associated_conversation_ids.includes(conversation),
    ]);
  }
  return shown!;
}

it('a sale is what the contract says after any commands: answer, row and events alike', async () => {
  const { context } = universe;
  const quoteOf = (total: string) => ({
    currency: 'USD',
    products: [{ product_name: 'x', quantity: 1, unit_price: total }],
  });
  await fc.assert(
    fc.asyncProperty(body, commands, async (opening, later) => {
      const creation = {
        ...opening,
        status_id: opening.status_id ?? universe.stages[0]!,
        associated_contacts: opening.associated_contacts ?? [],
        conversation_ids: opening.conversation_ids ?? [],
        custom_fields: opening.custom_fields ?? {},
      };
      let model = applied(NOTHING, creation);
      const refusals = broken(null, creation, model);
      const opened = await outcome(handlers.openSale.execute(new OpenSale(context, creation)));
      if (typeof opened === 'string') return expect(refusals).toContain(opened);
      expect(refusals).toEqual([]);
      expect(modelOf(opened)).toEqual(model);
      let shown = await readBack(opened.sale_id);
      expect(shown).toEqual(opened);

      for (const command of later) {
        const before = shown;
        let wanted = model;
        let codes: string[] = [];
        let answer: SaleResponse | string | null = null;
        if (command.do === 'patch') {
          wanted = applied(model, command.body);
          codes = broken(model, command.body, wanted);
          answer = await outcome(
            handlers.updateSale.execute(new UpdateSale(context, opened.sale_id, command.body)),
          );
        } else if (command.do === 'quote') {
          wanted = { ...model, quote: command.total };
          answer = await outcome(
            handlers.quoteSale.execute(new QuoteSale(context, opened.sale_id, quoteOf(command.total))),
          );
        } else await say(handlers, context, { conversation_id: command.in });

        shown = await readBack(opened.sale_id);
        if (typeof answer === 'string') {
          expect(codes).toContain(answer);
          expect(shown).toEqual(before);
          continue;
        }
        expect(codes).toEqual([]);
        if (answer !== null) expect(answer).toEqual(shown);
        expect(modelOf(shown)).toEqual(wanted);
        const heard = command.do === 'message' && model.associated_conversation_ids.includes(command.in);
        const moved = heard || !sameValue(wanted, model);
        expect(shown.last_activity_at > before.last_activity_at).toBe(moved);
        expect(shown.updated_at > before.updated_at).toBe(moved);
        expect(shown.closed_at).toBe(
          wanted.closed && !model.closed ? shown.current_status!.changed_at : before.closed_at,
        );
        if (!moved) expect(shown).toEqual(before);
        model = wanted;
      }
    }),
    { seed: 20_260_102, numRuns: cases(150), endOnFailure: true },
  );
});
