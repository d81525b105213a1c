import { given } from '../../test/support/given.js';
import { comment, type CommentCommand, type CommentEvent, mayChange, newlyMentioned } from './comment.js';

const AT = '2026-01-02T03:04:05.000000Z';
const LATER = '2026-01-02T03:05:05.000000Z';

const written = {
  comment_id: 'comment_1',
  record_type: 'contact' as const,
  record_id: 'contact_1',
  agent_id: 'agent_1',
  body: 'Call her',
  mentioned_agent_ids: ['agent_2'],
  created_at: AT,
};
const added: CommentEvent = { type: 'CommentAdded', data: written };
const deleted: CommentEvent = { type: 'CommentDeleted', data: {} };
const changing = (changes: object): CommentCommand => ({ type: 'ChangeComment', changes, at: LATER });

it.each<[string, CommentEvent[], CommentCommand, CommentEvent[]]>([
  ['is added', [], { type: 'AddComment', ...written }, [added]],
  [
    'is edited, which is dated',
    [added],
    changing({ body: 'Write' }),
    [{ type: 'CommentChanged', data: { body: 'Write', edited_at: LATER } }],
  ],
  [
    'mentions others',
    [added],
    changing({ mentioned_agent_ids: [] }),
    [{ type: 'CommentChanged', data: { mentioned_agent_ids: [], edited_at: LATER } }],
  ],
  [
    'that says the same is not edited',
    [added],
    changing({ body: 'Call her', mentioned_agent_ids: ['agent_2'] }),
    [],
  ],
  ['of which nothing is named is not edited', [added], changing({}), []],
  [
    'follows its record',
    [added],
    { type: 'MoveComment', record_id: 'contact_2' },
    [{ type: 'CommentMoved', data: { record_type: 'contact', record_id: 'contact_2' } }],
  ],
  ['is deleted', [added], { type: 'DeleteComment' }, [deleted]],
  ['that is deleted is not edited', [added, deleted], changing({ body: 'Write' }), []],
  ['that is deleted is not moved', [added, deleted], { type: 'MoveComment', record_id: 'contact_2' }, []],
  ['that is deleted is not deleted again', [added, deleted], { type: 'DeleteComment' }, []],
])('a comment %s', (_, before, command, after) =>
  given(comment, before)
    .when(command)
    .then(...after),
);

it('a comment has no edited_at until it is edited, and the date of the last time from then on', () => {
  expect(given(comment, [added]).state).toEqual({ ...written, edited_at: null });
  expect(
    given(comment, [added])
      .when(changing({ body: 'Write' }))
      .thenState(),
  ).toEqual({ ...written, body: 'Write', edited_at: LATER });
});

it.each<[string, string | null, string | null, boolean]>([
  ['by its agent', 'agent_1', 'agent_1', true],
  ['not by another agent', 'agent_1', 'agent_2', false],
  ['by a key without an agent', 'agent_1', null, true],
  ['by a key without an agent where one wrote it', null, null, true],
  ['not by an agent where a key without one wrote it', null, 'agent_1', false],
])('a comment is changed %s', (_, agent_id, acting, may) =>
  expect(mayChange({ ...written, agent_id, edited_at: null }, acting)).toBe(may),
);

it.each<[string, string[], string[], string[]]>([
  ['each agent of a new comment', ['agent_2', 'agent_3'], [], ['agent_2', 'agent_3']],
  ['only those who were not mentioned before', ['agent_2', 'agent_3'], ['agent_2'], ['agent_3']],
  ['not who wrote it', ['agent_1', 'agent_2'], [], ['agent_2']],
])('a mention tells %s', (_, mentioned_agent_ids, before, told) =>
  expect(newlyMentioned({ agent_id: 'agent_1', mentioned_agent_ids }, before)).toEqual(told),
);
