import { given } from '../../test/support/given.js';
import { template, type TemplateChanges, type TemplateEvent } from './template.js';

const told = {
  template_id: 'template_1',
  name: 'Über uns',
  modality: 'email' as const,
  subject: 'For {{contact.name}}',
  body_html: '<p>Hello</p>',
  created_at: '2026-01-01T00:00:00.000000Z',
};
const created: TemplateEvent = { type: 'TemplateCreated', data: told };
const change = (changes: TemplateChanges) => ({ type: 'ChangeTemplate' as const, changes });
const A_TEXT = 'must be left out or null: a text has no subject';

describe('a template', () => {
  it('is created as it is told, and listed by its folded name', () => {
    given(template, [])
      .when({ type: 'CreateTemplate', ...told })
      .then(created);
    expect(given(template, [created]).state).toEqual({ ...told, name_key: 'uber uns' });
  });

  it('changes in the fields that are named and differ', () => {
    given(template, [created])
      .when(change({ name: 'About us', subject: told.subject }))
      .then({ type: 'TemplateChanged', data: { name: 'About us' } });
    given(template, [created])
      .when(change({ name: told.name, body_html: told.body_html }))
      .then();
  });

  it('is listed by its new name once it has one', () =>
    expect(
      given(template, [created, { type: 'TemplateChanged', data: { name: 'About us' } }]).state,
    ).toMatchObject({ name: 'About us', name_key: 'about us', subject: told.subject }));

  it('of a text has no subject', () => {
    expect(() => template.decide(null, { type: 'CreateTemplate', ...told, modality: 'text' })).toThrow(
      A_TEXT,
    );
    const state = given(template, [created]).state;
    expect(() => template.decide(state, change({ modality: 'text' }))).toThrow(A_TEXT);
  });

  it('of a mail becomes one of a text without its subject', () =>
    given(template, [created])
      .when(change({ modality: 'text', subject: null }))
      .then({ type: 'TemplateChanged', data: { modality: 'text', subject: null } }));

  it('is no more once it is deleted', () => {
    given(template, [created]).when({ type: 'DeleteTemplate' }).then({ type: 'TemplateDeleted', data: {} });
    expect(given(template, [created, { type: 'TemplateDeleted', data: {} }]).state).toBeNull();
  });
});
