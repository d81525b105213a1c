import type { SaleEvent, StatusEvent } from '../../sales/sales.contract.js';
import { entriesOf, foldSale, type SaleFacts, staysOf } from './sale-facts.js';

const stage = (name: string, status: string | null = null) => ({
  status_id: `stage_${name}`,
  label: name,
  status,
});
const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000000Z`;
const opened: SaleEvent = {
  type: 'SaleOpened',
  data: {
    sale_id: 'sale_1',
    company_id: null,
    owner_id: 'agent_1',
    associated_contacts: [],
    associated_conversation_ids: ['conv_1'],
    custom_fields: {},
    created_at: day(1),
    stage: stage('Qualified'),
  },
};
const moved = (name: string, on: number, status: string | null = null): SaleEvent => ({
  type: 'SaleStageChanged',
  data: { ...stage(name, status), changed_at: day(on) } satisfies StatusEvent,
});
const folded = (...events: SaleEvent[]): SaleFacts => events.reduce<SaleFacts | null>(foldSale, null)!;

describe('the facts of a sale', () => {
  it('have one stay per stage, from entering it to entering the next', () => {
    expect(staysOf(folded(opened, moved('Quoted', 2), moved('Accepted', 5)))).toEqual([
      { status_id: 'stage_Qualified', entered_at: day(1), left_at: day(2) },
      { status_id: 'stage_Quoted', entered_at: day(2), left_at: day(5) },
      { status_id: 'stage_Accepted', entered_at: day(5), left_at: null },
    ]);
  });

  it('take a stage that is entered again for one stay that goes on', () => {
    expect(staysOf(folded(opened, moved('Qualified', 3), moved('Quoted', 4)))).toEqual([
      { status_id: 'stage_Qualified', entered_at: day(1), left_at: day(4) },
      { status_id: 'stage_Quoted', entered_at: day(4), left_at: null },
    ]);
  });

  it('know when it was first quoted and accepted, by the tag of the stage, or by its label too', () => {
    const sale = folded(
      opened,
      moved('Won', 2, 'accepted'),
      moved('Won', 3, 'accepted'),
      moved('Accepted', 4),
    );
    expect(entriesOf(sale)).toEqual({ quoted_at: null, accepted_at: day(2), labelled_accepted_at: day(2) });
    expect(entriesOf(folded(opened, moved('Accepted', 4)))).toEqual({
      quoted_at: null,
      accepted_at: null,
      labelled_accepted_at: day(4),
    });
  });

  it('are those that a stage brings with it', () => {
    const entered: SaleEvent = {
      type: 'SaleStageChanged',
      data: {
        ...stage('Quoted'),
        changed_at: day(2),
        revision: { owner_id: 'agent_2', associated_conversation_ids: ['conv_3'] },
      },
    };
    expect(folded(opened, entered)).toMatchObject({
      owner_id: 'agent_2',
      associated_conversation_ids: ['conv_3'],
      status_history: [{ changed_at: day(1) }, { ...stage('Quoted'), changed_at: day(2) }],
    });
    expect(folded(opened, entered).status_history[1]).not.toHaveProperty('revision');
  });

  it('are those of the latest owner, quote and conversations', () => {
    const quoted = (total_price: string): SaleEvent => ({
      type: 'SaleQuoted',
      data: {
        quote_details: { output: { currency: 'EUR', total_price }, arguments: { products: [] } },
        quoted_at: day(2),
      },
    });
    const revised: SaleEvent = {
      type: 'SaleRevised',
      data: { owner_id: null, associated_conversation_ids: ['conv_2'], revised_at: day(3) },
    };
    expect(folded(opened, quoted('1.50'), revised, quoted('2'))).toMatchObject({
      owner_id: null,
      total_price: '2',
      currency: 'EUR',
      associated_conversation_ids: ['conv_2'],
    });
  });
});
