import { ConfigurationError, readConfig } from './config.js';

describe('configuration', () => {
  it('has a default for everything', () =>
    expect(readConfig({})).toMatchObject({ port: 3000, dataDir: '.data', rateLimitRps: 100 }));

  it('takes an empty variable for one that is not set', () =>
    expect(readConfig({ PORT: '' }).port).toBe(3000));

  it.each([
    ['PORT', '70000'],
    ['PORT', '80.5'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['REDIS_URL', 'http://localhost'],
    ['PARLEY_ADMIN_KEY', 'short'],
    ['PARLEY_PUBLIC_URL', 'parley.example'],
    ['PARLEY_SECRET_KEY', 'abc'],
    ['DELIVERY_RETRY_BASE_MS', '-1'],
    ['DELIVERY_ON_UNCERTAIN_EMAIL', 'maybe'],
    ['RATE_LIMIT_RPS', 'many'],
    ['INBOUND_SMTP_PORT', 'smtp'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s by name', (name, value) =>
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: `)),
  );

  it('names every variable that is wrong', () => {
    const refusal = () => readConfig({ PORT: 'x', LOG_LEVEL: 'x' });
    expect(refusal).toThrow(ConfigurationError);
    expect(refusal).toThrow(/PORT[^]*LOG_LEVEL/);
  });
});
