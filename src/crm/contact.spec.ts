import { given } from '../../test/support/given.js';
import { contact, type ContactEvent } from './contact.js';

const details = {
  contact_id: 'contact_1',
  name: 'Grace',
  email: 'Grace@Navy.example',
  phone_number: '',
  phone_key: null,
  company_id: null,
  company_role: null,
  custom_fields: { rank: 'admiral', ships: 3 },
  created_at: '2026-01-01T00:00:00.000000Z',
};
const created: ContactEvent = { type: 'ContactCreated', data: details };

describe('contact', () => {
  it('is created with what is known of it', () =>
    given(contact, [])
      .when({ type: 'CreateContact', ...details })
      .then(created));

  it('needs at least one of name, email and phone number', () =>
    given(contact, [])
      .when({ type: 'CreateContact', ...details, name: '', email: '' })
      .thenThrows('validation_failed'));

  it('is matched by its e-mail address in lower case', () =>
    expect(given(contact, [created]).state?.email_key).toBe('grace@navy.example'));

  it('may not lose the last of name, email and phone number', () =>
    given(contact, [created])
      .when({ type: 'UpdateContact', changes: { name: '', email: '' } })
      .thenThrows('validation_failed'));

  it('may lose one of them', () =>
    given(contact, [created])
      .when({ type: 'UpdateContact', changes: { email: '' } })
      .then({
        type: 'ContactIdentityChanged',
        data: { name: 'Grace', email: '', phone_number: '', phone_key: null },
      }));

  it('stays as it is when nothing changes', () =>
    given(contact, [created])
      .when({ type: 'UpdateContact', changes: { name: 'Grace', company_id: null } })
      .then());

  it('changes several things in one go', () =>
    given(contact, [created])
      .when({
        type: 'UpdateContact',
        changes: { name: 'Grace Hopper', company_role: 'Admiral', custom_fields: { ships: 4 } },
      })
      .then(
        {
          type: 'ContactIdentityChanged',
          data: { name: 'Grace Hopper', email: details.email, phone_number: '', phone_key: null },
        },
        { type: 'ContactEmploymentChanged', data: { company_id: null, company_role: 'Admiral' } },
        { type: 'ContactCustomFieldsChanged', data: { custom_fields: { ships: 4 } } },
      ));

  it('merges custom fields', () =>
    expect(
      given(contact, [created])
        .when({ type: 'UpdateContact', changes: { custom_fields: { ships: null } } })
        .thenState()?.custom_fields,
    ).toEqual({ rank: 'admiral', ships: null }));

  it.each([{}, { ships: 3 }, { rank: 'admiral', ships: 3 }])(
    'records nothing for custom fields %j, as they are',
    (same) =>
      given(contact, [created])
        .when({ type: 'UpdateContact', changes: { custom_fields: same } })
        .then(),
  );

  it('clears all custom fields with null', () =>
    expect(
      given(contact, [created])
        .when({ type: 'UpdateContact', changes: { custom_fields: null } })
        .thenState()?.custom_fields,
    ).toEqual({}));
});
