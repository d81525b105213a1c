import { given } from '../../test/support/given.js';
import { company, type CompanyEvent } from './company.js';

const navy: Extract<CompanyEvent, { type: 'CompanyCreated' }>['data'] = {
  company_id: 'company_1',
  name: 'Navy',
  domain: 'navy.example',
  custom_fields: {},
  address: null,
  agent_id: null,
  created_at: '2026-01-01T00:00:00.000000Z',
};
const created: CompanyEvent = { type: 'CompanyCreated', data: navy };

describe('company', () => {
  it.each([
    ['Navy.Example', 'navy.example'],
    ['https://www.Navy.example/about?x=1', 'www.navy.example'],
    ['http://navy.example#top', 'navy.example'],
    [null, null],
  ])('keeps the domain %p as %p', (domain, kept) =>
    expect(
      given(company, [])
        .when({ type: 'CreateCompany', ...navy, domain })
        .thenState()?.domain,
    ).toBe(kept),
  );

  it.each(['navy', 'https://localhost/x.y', '', 'na vy.example', '10.0.0.1'])(
    'refuses the domain %p',
    (domain) =>
      given(company, [])
        .when({ type: 'CreateCompany', ...navy, domain })
        .thenThrows('validation_failed'),
  );

  it.each([{}, null])('records nothing for custom fields %j where there are none', (custom_fields) =>
    given(company, [created]).when({ type: 'UpdateCompany', changes: { custom_fields } }).then(),
  );

  it('changes only what is named', () =>
    given(company, [created])
      .when({ type: 'UpdateCompany', changes: { address: 'Harbour', agent_id: 'agent_1' } })
      .then(
        { type: 'CompanyDetailsChanged', data: { name: 'Navy', domain: 'navy.example', address: 'Harbour' } },
        { type: 'CompanyAssigned', data: { agent_id: 'agent_1' } },
      ));

  it('clears with null', () =>
    expect(
      given(company, [created])
        .when({ type: 'UpdateCompany', changes: { domain: null } })
        .thenState()?.domain,
    ).toBeNull());
});
