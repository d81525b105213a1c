import { ParleyError } from '../../../../libs/client/client.js';
import { edit } from './edit.js';

interface Person {
  name: string;
  role: string | null;
  custom_fields?: Record<string, unknown>;
}

const refused = new ParleyError(412, { code: 'precondition_failed', detail: '' });

/** A record at version 2 that somebody saw at version 1. */
function editing(before: Person, now: Person, changes: Partial<Person>) {
  const tried: (string | undefined)[] = [];
  const result = edit<Person>({
    base: { record: before, etag: '"1"' },
    changes,
    read: () => Promise.resolve(now),
    write: (headers) => {
      tried.push(headers['If-Match']);
      return tried.length === 1 ? Promise.reject(refused) : Promise.resolve({ ...now, ...changes });
    },
  });
  return { result, tried };
}

describe('An edit of a record that was changed meanwhile', () => {
  it('is not made where the same field was changed, and gives what is there now', async () => {
    const now = { name: 'Ada L.', role: null };
    const { result, tried } = editing({ name: 'Ada', role: null }, now, { name: 'Lady Ada' });
    await expect(result).resolves.toEqual({ met: { record: now, etag: undefined } });
    expect(tried).toEqual(['"1"']);
  });

  it('is made on top of changes of other fields', async () => {
    const now = { name: 'Ada', role: 'Countess' };
    const { result, tried } = editing({ name: 'Ada', role: null }, now, { name: 'Lady Ada' });
    await expect(result).resolves.toMatchObject({ done: { record: { name: 'Lady Ada', role: 'Countess' } } });
    expect(tried).toEqual(['"1"', undefined]);
  });

  it('is made where the other change was the same', async () => {
    const now = { name: 'Lady Ada', role: null };
    const { result } = editing({ name: 'Ada', role: null }, now, { name: 'Lady Ada' });
    await expect(result).resolves.toMatchObject({ done: { record: now } });
  });

  it('meets changes of the same custom field alone', async () => {
    const before = { name: 'Ada', role: null, custom_fields: { plan: 'A', seats: 1 } };
    const now = { name: 'Ada', role: null, custom_fields: { plan: 'A', seats: 2 } };
    await expect(editing(before, now, { custom_fields: { plan: 'B' } }).result).resolves.toHaveProperty(
      'done',
    );
    await expect(editing(before, now, { custom_fields: { seats: 3 } }).result).resolves.toHaveProperty('met');
  });

  it('is refused for any other reason as the API says', async () => {
    const error = new ParleyError(400, { code: 'validation_failed', detail: 'no' });
    const write = () => Promise.reject(error);
    const record = { name: 'Ada', role: null };
    const result = edit({
      base: { record, etag: '"1"' },
      changes: {},
      read: () => Promise.resolve(record),
      write,
    });
    await expect(result).rejects.toBe(error);
  });
});
