import { toProblem } from './problem.js';

describe('a database that is away', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', '57P01', '53300'])(
    'is told as 503 with Retry-After: %s',
    (code) => {
      const problem = toProblem(Object.assign(new Error('no'), { code }));
      expect([problem.status, problem.code, problem.extras.headers]).toEqual([
        503,
        'unavailable',
        { 'Retry-After': '1' },
      ]);
    },
  );

  it.each([
    [
      '08006',
      'connection to the remote node parley@node:5432 failed with the following error: Connection refused',
    ],
    [
      'XX000',
      'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
    ],
    ['XX000', 'could not find valid entry for shard 102836'],
  ])('is told the same way of a node of a cluster: %s %s', (code, message) => {
    const problem = toProblem(Object.assign(new Error(message), { code, severity: 'ERROR' }));
    expect([problem.status, problem.extras.headers]).toEqual([503, { 'Retry-After': '1' }]);
  });

  it('is told the same way of a deadlock that was met again and again', () => {
    const problem = toProblem(
      Object.assign(new Error('deadlock detected'), { code: '40P01', severity: 'ERROR' }),
    );
    expect([problem.status, problem.extras.headers]).toEqual([503, { 'Retry-After': '1' }]);
  });

  it('is not what any error is told as', () => {
    const problem = toProblem(Object.assign(new Error('no'), { code: '42P01' }));
    expect([problem.status, problem.code]).toEqual([500, 'internal_error']);
  });
});
