import fc from 'fast-check';
import type { Instant } from '#kernel/instant.js';
import { given } from '../../test/support/given.js';
import {
  type QuoteDetails,
  type Revision,
  sale,
  type SaleCommand,
  type SaleEvent,
  type Stage,
} from './sale.js';

const at = (second: number): Instant => `2026-01-02T03:04:${String(second).padStart(2, '0')}.000000Z`;

const stage = (name: string, status: Stage['status'] = null): Stage => ({
  status_id: `stage_${name}`,
  label: name,
  status,
});
const [QUALIFIED, QUOTED, ACCEPTED] = [stage('qualified'), stage('quoted'), stage('accepted')];
const WON = stage('won', 'accepted');

const contacts = (...ids: string[]) =>
  ids.map((id) => ({ contact_id: id.replace('*', ''), is_primary: id.endsWith('*') }));

const facts = {
  sale_id: 'sale_1',
  company_id: 'company_1',
  owner_id: null,
  associated_contacts: [],
  associated_conversation_ids: ['conv_1'],
  custom_fields: {},
};

const open = (fields: Partial<SaleCommand & { type: 'OpenSale' }> = {}): SaleCommand => ({
  type: 'OpenSale',
  ...facts,
  stage: QUALIFIED,
  at: at(0),
  ...fields,
});
const opened = (fields: object = {}): SaleEvent => ({
  type: 'SaleOpened',
  data: { ...facts, stage: QUALIFIED, created_at: at(0), ...fields },
});
const entered = (to: Stage, second: number): SaleEvent => ({
  type: 'SaleStageChanged',
  data: { ...to, changed_at: at(second) },
});
const update = (revision: Revision, to: Stage | null = null, second = 9): SaleCommand => ({
  type: 'UpdateSale',
  stage: to,
  revision,
  at: at(second),
});
const revised = (revision: Revision, second = 9): SaleEvent => ({
  type: 'SaleRevised',
  data: { ...revision, revised_at: at(second) },
});
const quote = (total_price: string): QuoteDetails => ({
  output: { currency: 'USD', total_price },
  arguments: { products: [{ product_name: 'Chair', quantity: 1, unit_price: total_price }] },
});
const quoted = (total_price: string, second: number): SaleEvent => ({
  type: 'SaleQuoted',
  data: { quote_details: quote(total_price), quoted_at: at(second) },
});

describe('a sale that is opened', () => {
  it('begins its history with the given stage, which is its present one', () => {
    const state = given(sale, []).when(open()).thenState();
    expect(state).toMatchObject({
      ...facts,
      status_id: QUALIFIED.status_id,
      status_history: [{ ...QUALIFIED, changed_at: at(0) }],
      quote_details: null,
      created_at: at(0),
      last_activity_at: at(0),
    });
  });

  it.each([
    ['the first contact when none is marked', ['a', 'b'], ['a*', 'b']],
    ['the marked contact', ['a', 'b*'], ['a', 'b*']],
    ['the only contact', ['a'], ['a*']],
  ])('has as primary %s', (_, named, expected) =>
    given(sale, [])
      .when(open({ associated_contacts: contacts(...named) }))
      .then(opened({ associated_contacts: contacts(...expected) })),
  );

  it('refuses two primary contacts', () =>
    given(sale, [])
      .when(open({ associated_contacts: contacts('a*', 'b*') }))
      .thenThrows('validation_failed'));

  it('refuses a contact that is named twice', () =>
    given(sale, [])
      .when(open({ associated_contacts: contacts('a', 'b', 'a') }))
      .thenThrows('validation_failed'));

  it('needs a company or a contact', () => {
    given(sale, [])
      .when(open({ company_id: null }))
      .thenThrows('no_linked_party');
    const associated_contacts = contacts('a*');
    given(sale, [])
      .when(open({ company_id: null, associated_contacts }))
      .then(opened({ company_id: null, associated_contacts }));
  });
});

describe('the stage of a sale', () => {
  it('may be one that the sale has not been in', () =>
    given(sale, [opened()]).when(update({}, QUOTED)).then(entered(QUOTED, 9)));

  it('may be the present one again, which extends the history', () => {
    const state = given(sale, [opened(), entered(QUOTED, 1)])
      .when(update({}, QUOTED))
      .thenState();
    expect(state?.status_history.map(({ status_id, changed_at }) => [status_id, changed_at])).toEqual([
      [QUALIFIED.status_id, at(0)],
      [QUOTED.status_id, at(1)],
      [QUOTED.status_id, at(9)],
    ]);
  });

  it('may be passed over', () =>
    given(sale, [opened()]).when(update({}, ACCEPTED)).then(entered(ACCEPTED, 9)));

  it.each([
    [QUALIFIED, [entered(QUOTED, 1)]],
    [QUOTED, [entered(QUOTED, 1), entered(ACCEPTED, 2)]],
    [QUALIFIED, [entered(QUALIFIED, 1), entered(QUOTED, 2), entered(QUOTED, 3)]],
  ])('may not be one that it has left: %j', (to, history) =>
    given(sale, [opened(), ...history])
      .when(update({}, to))
      .thenThrows('stage_already_used'),
  );

  it('keeps in the history the name that each had then', () => {
    const renamed = { ...QUALIFIED, label: 'New' };
    const state = given(sale, [opened()]).when(update({}, renamed)).thenState();
    expect(state?.status_history.map(({ label }) => label)).toEqual(['qualified', 'New']);
  });
});

describe('a revision of a sale', () => {
  it('records what is changed and nothing else', () =>
    given(sale, [opened()])
      .when(update({ company_id: 'company_1', owner_id: 'agent_1' }))
      .then(revised({ owner_id: 'agent_1' })));

  it('that changes nothing records nothing', () =>
    given(sale, [opened({ custom_fields: { a: 1 } })])
      .when(
        update({
          company_id: 'company_1',
          owner_id: null,
          associated_contacts: [],
          associated_conversation_ids: ['conv_1'],
          custom_fields: { a: 1 },
        }),
      )
      .then());

  it('replaces the contacts, the first being primary when none is marked', () =>
    given(sale, [opened({ associated_contacts: contacts('a*', 'b') })])
      .when(update({ associated_contacts: contacts('c', 'a') }))
      .then(revised({ associated_contacts: contacts('c*', 'a') })));

  it('replaces the conversations', () =>
    given(sale, [opened()])
      .when(update({ associated_conversation_ids: [] }))
      .then(revised({ associated_conversation_ids: [] })));

  it.each<[string, Revision]>([
    ['two primary contacts', { associated_contacts: contacts('a*', 'b*') }],
    ['a contact named twice', { associated_contacts: contacts('a', 'a*') }],
  ])('refuses %s', (_, revision) =>
    given(sale, [opened()]).when(update(revision)).thenThrows('validation_failed'),
  );

  it.each<[string, object, Revision]>([
    ['the company when there is no contact', {}, { company_id: null }],
    ['the contacts when there is no company', { company_id: null }, { associated_contacts: [] }],
    ['both', {}, { company_id: null, associated_contacts: [] }],
  ])('may not take away %s', (_, before, revision) => {
    const associated_contacts = 'company_id' in before ? contacts('a*') : [];
    given(sale, [opened({ ...before, associated_contacts })])
      .when(update(revision))
      .thenThrows('no_linked_party');
  });

  it.each<[string, Revision]>([
    ['the company for contacts', { company_id: null, associated_contacts: contacts('a*') }],
    ['the company for another', { company_id: 'company_2' }],
  ])('may exchange %s', (_, revision) =>
    given(sale, [opened()]).when(update(revision)).then(revised(revision)),
  );

  it('merges custom values, and clears all with null', () => {
    const events = [opened({ custom_fields: { a: 1, b: 2 } })];
    const valuesAfter = (custom_fields: Revision['custom_fields']) =>
      given(sale, events).when(update({ custom_fields })).thenState()?.custom_fields;
    expect(valuesAfter({ b: null, c: 3 })).toEqual({ a: 1, b: null, c: 3 });
    expect(valuesAfter({})).toEqual({ a: 1, b: 2 });
    expect(valuesAfter(null)).toEqual({});
  });

  it('is refused as a whole when its stage is', () =>
    given(sale, [opened(), entered(QUOTED, 1)])
      .when(update({ owner_id: 'agent_1' }, QUALIFIED))
      .thenThrows('stage_already_used'));

  it('with a stage is one event', () =>
    given(sale, [opened()])
      .when(update({ owner_id: 'agent_1' }, QUOTED))
      .then({
        type: 'SaleStageChanged',
        data: { ...QUOTED, changed_at: at(9), revision: { owner_id: 'agent_1' } },
      }));

  it.each<[string, Stage, SaleEvent[], boolean]>([
    ['the first that closes it', WON, [], true],
    ['one that does not close it', QUOTED, [], false],
    ['one that closes it after another did', stage('lost', 'lost'), [entered(WON, 1)], false],
  ])('with a stage tells when the sale was closed by it: %s', (_, to, before, isClosing) =>
    given(sale, [opened(), ...before])
      .when(update({}, to))
      .then({
        type: 'SaleStageChanged',
        data: { ...to, changed_at: at(9), ...(isClosing && { closes: true }) },
      }),
  );

  it('with a stage changes both, and the history keeps the stage alone', () => {
    const state = given(sale, [opened()])
      .when(update({ owner_id: 'agent_1', custom_fields: { a: 1 } }, QUOTED))
      .thenState();
    expect(state).toMatchObject({
      owner_id: 'agent_1',
      custom_fields: { a: 1 },
      status_id: QUOTED.status_id,
    });
    expect(state!.status_history.at(-1)).toEqual({ ...QUOTED, changed_at: at(9) });
  });
});

describe('the quote of a sale', () => {
  it('takes the place of the one before', () =>
    expect(
      given(sale, [opened(), quoted('10', 1)])
        .when({ type: 'QuoteSale', quote_details: quote('20'), at: at(2) })
        .thenState()?.quote_details,
    ).toEqual(quote('20')));

  it('that is the same records nothing', () =>
    given(sale, [opened(), quoted('10', 1)])
      .when({ type: 'QuoteSale', quote_details: quote('10'), at: at(2) })
      .then());
});

describe('the last activity of a sale', () => {
  const message = (conversation_id: string, second: number): SaleCommand => ({
    type: 'NoteMessage',
    conversation_id,
    merged_ids: [],
    at: at(second),
  });

  it('moves with a message in an associated conversation, and with no other', () => {
    given(sale, [opened()])
      .when(message('conv_1', 5))
      .then({ type: 'SaleContacted', data: { conversation_id: 'conv_1', contacted_at: at(5) } });
    given(sale, [opened()]).when(message('conv_2', 5)).then();
  });

  it('moves when a conversation is merged, which the sale follows', () =>
    given(sale, [opened()])
      .when({ type: 'NoteMessage', conversation_id: 'conv_9', merged_ids: ['conv_1'], at: at(5) })
      .then(revised({ associated_conversation_ids: ['conv_9'] }, 5)));

  it.each<[string, SaleCommand]>([
    ['a stage', update({}, QUOTED)],
    ['the present stage', update({}, QUALIFIED)],
    ['a revision', update({ owner_id: 'agent_1' })],
    ['custom values', update({ custom_fields: { a: 1 } })],
    ['a quote', { type: 'QuoteSale', quote_details: quote('1'), at: at(9) }],
    ['a message', message('conv_1', 9)],
  ])('moves with %s', (_, command) => {
    expect(given(sale, [opened()]).when(command).thenState()?.last_activity_at).toBe(at(9));
  });

  it('always moves forward, also when another process has a clock that is ahead', () => {
    const ahead = [opened(), entered(QUOTED, 30)];
    for (const command of [
      update({}, ACCEPTED, 3),
      update({ owner_id: 'agent_1' }, null, 3),
      message('conv_1', 3),
    ])
      expect(given(sale, ahead).when(command).thenState()?.last_activity_at).toBe(
        '2026-01-02T03:04:30.000001Z',
      );
  });
});

describe('any history of a sale', () => {
  const commands: fc.Arbitrary<SaleCommand> = fc.oneof(
    fc
      .record({
        to: fc.constantFrom(null, QUALIFIED, QUOTED, ACCEPTED),
        owner: fc.constantFrom(null, 'agent_1'),
      })
      .map(({ to, owner }) => update({ owner_id: owner }, to, 5)),
    fc
      .constantFrom('1', '2')
      .map((total): SaleCommand => ({ type: 'QuoteSale', quote_details: quote(total), at: at(5) })),
    fc.constant<SaleCommand>({ type: 'NoteMessage', conversation_id: 'conv_1', merged_ids: [], at: at(5) }),
  );

  it('keeps the present stage last, its stages in order, and no stage once left again', () =>
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 20 }), (given_) => {
        let state = sale.evolve(null, opened());
        for (const command of given_)
          try {
            const before = state!;
            for (const event of sale.decide(state, command)) state = sale.evolve(state, event);
            expect(state!.status_history.slice(0, before.status_history.length)).toEqual(
              before.status_history,
            );
            expect(state!.last_activity_at >= before.last_activity_at).toBe(true);
          } catch (error) {
            expect(error).toMatchObject({ code: 'stage_already_used' });
          }
        const ids = state!.status_history.map(({ status_id }) => status_id);
        expect(ids.at(-1)).toBe(state!.status_id);
        const entries = ids.filter((id, index) => id !== ids[index - 1]);
        expect(new Set(entries).size).toBe(entries.length);
        const instants = state!.status_history.map(({ changed_at }) => changed_at);
        expect(instants).toEqual(instants.toSorted());
        expect(new Set(instants).size).toBe(instants.length);
      }),
    ));
});
