import { isRefusal, untilDone } from './refusal.js';

const refusal = (code: string, message = 'no') =>
  Object.assign(new Error(message), { code, severity: 'ERROR' });

describe('an error of the database', () => {
  it('is a refusal where nothing was done', () => expect(isRefusal(refusal('23505'))).toBe(true));

  it.each([
    ['a connection that broke', Object.assign(new Error('gone'), { code: 'ECONNRESET' })],
    ['a node of a cluster that was lost', refusal('08006')],
    ['a node that ended its connection', refusal('XX000', 'server closed the connection unexpectedly')],
  ])('is none where the work may have been done: %s', (_, error) => expect(isRefusal(error)).toBe(false));
});

describe('work', () => {
  it.each([
    ['a deadlock was broken', refusal('40P01')],
    ['a cluster has moved the rows', refusal('XX000', 'could not find valid entry for shard 1')],
  ])('is done again after %s', async (_, error) => {
    let tries = 0;
    expect(await untilDone(() => (++tries === 1 ? Promise.reject(error) : Promise.resolve('done')))).toBe(
      'done',
    );
  });
});
