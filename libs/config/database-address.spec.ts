import { databaseAddress } from './database-address.js';

describe('the address of a database', () => {
  it('is that of one server, as it stands', () =>
    expect(databaseAddress('postgresql://ada:p%2Cw@db.example:6432/parley?sslmode=disable')).toEqual({
      urls: ['postgresql://ada:p%2Cw@db.example:6432/parley?sslmode=disable'],
      needsWriter: true,
      shown: 'db.example:6432',
    }));

  it('may name several servers, with one user, password, database and options for all', () =>
    expect(databaseAddress('postgres://ada:p,w@a:5432,b,[::1]:5433/parley?sslmode=disable')).toEqual({
      urls: [
        'postgres://ada:p,w@a:5432/parley?sslmode=disable',
        'postgres://ada:p,w@b/parley?sslmode=disable',
        'postgres://ada:p,w@[::1]:5433/parley?sslmode=disable',
      ],
      needsWriter: true,
      shown: 'a:5432,b,[::1]:5433',
    }));

  it.each([
    ['read-write', true],
    ['primary', true],
    ['any', false],
  ])('with target_session_attrs=%s needs one that takes writes: %s', (target, needsWriter) =>
    expect(databaseAddress(`postgres://a,b/parley?target_session_attrs=${target}`)).toMatchObject({
      needsWriter,
    }),
  );

  it.each([
    'mysql://localhost/x',
    'localhost:5432',
    'postgres:localhost',
    'postgres://a:5432,/x',
    'postgres://,a/x',
    'postgres://a:5432,b:port/x',
    'postgres://a:70000/x',
    'postgres://a,b/x?target_session_attrs=standby',
  ])('is not %s', (text) => expect(databaseAddress(text)).toBeUndefined());

  it('may leave the host to a socket', () =>
    expect(databaseAddress('postgres:///parley?host=/run/postgresql')).toMatchObject({
      urls: ['postgres:///parley?host=/run/postgresql'],
    }));
});
