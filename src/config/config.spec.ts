import { ConfigurationError, readConfig } from './config.js';

describe('configuration', () => {
  it('has a default for everything', () =>
    expect(readConfig({})).toMatchObject({ port: 3000, dataDir: '.data', rateLimitRps: 100 }));

  it('limits channels as it limits keys, unless it says otherwise', () => {
    const limitOf = (env: Record<string, string>) => readConfig(env).channelRateLimitRps;
    expect(limitOf({})).toBe(100);
    expect(limitOf({ RATE_LIMIT_RPS: '0' })).toBe(0);
    expect(limitOf({ RATE_LIMIT_RPS: '7' })).toBe(7);
    expect(limitOf({ RATE_LIMIT_RPS: '7', RATE_LIMIT_CHANNEL_RPS: '0' })).toBe(0);
    expect(limitOf({ RATE_LIMIT_RPS: '0', RATE_LIMIT_CHANNEL_RPS: '7' })).toBe(7);
  });

  it('takes an empty variable for one that is not set', () =>
    expect(readConfig({ PORT: '' }).port).toBe(3000));

  it.each([
    ['PORT', '70000'],
    ['PORT', '80.5'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', 'postgres://a,b/x?target_session_attrs=standby'],
    ['DATABASE_DIRECT_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'postgres://a:5432,/x'],
    ['REDIS_URL', 'http://localhost'],
    ['REDIS_URL', 'redis:/localhost'],
    ['REDIS_URL', 'redis+sentinel://localhost:26379'],
    ['PARLEY_PUBLIC_URL', 'parley.example'],
    ['PARLEY_PUBLIC_URL', 'https://parley.example '],
    ['PARLEY_PUBLIC_URL', ' https://parley.example'],
    ['PARLEY_PUBLIC_URL', 'https://parley.example\n'],
    ['PARLEY_PUBLIC_URL', 'https://parley.example/?a=b'],
    ['PARLEY_PUBLIC_URL', 'https://parley.example/#top'],
    ['PARLEY_PUBLIC_URL', 'https://ada:secret@parley.example'],
    ['PARLEY_ADMIN_KEY', ' key-of-the-operators'],
    ['PARLEY_ADMIN_KEY', 'key-of-the-operators\n'],
    ['PARLEY_ADMIN_KEY', 'key-of-the\noperators'],
    ['PARLEY_ADMIN_KEY', 'Schlüssel-der-Betreiber'],
    ['PARLEY_SECRET_KEY', 'abc'],
    ['DUE_POLL_MS', '0'],
    ['DELIVERY_RETRY_BASE_MS', '-1'],
    ['DELIVERY_ON_UNCERTAIN_EMAIL', 'maybe'],
    ['RATE_LIMIT_RPS', 'many'],
    ['TRUSTED_PROXIES', 'haproxy'],
    ['TRUSTED_PROXIES', '10.0.0.1,'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'null'],
    ['CORS_ORIGINS', 'acme.example'],
    ['CORS_ORIGINS', 'https://'],
    ['CORS_ORIGINS', 'https://acme.example/'],
    ['CORS_ORIGINS', 'https://acme.example/app'],
    ['CORS_ORIGINS', 'ftp://acme.example'],
    ['CORS_ORIGINS', 'https://ada@acme.example'],
    ['CORS_ORIGINS', 'https://*.acme.example'],
    ['CORS_ORIGINS', 'https://a.example:x'],
    ['CORS_ORIGINS', 'https://a.example,'],
    ['CORS_ORIGINS', 'https://a.example https://b.example'],
    ['CORS_ORIGINS', 'https://a.example,*'],
    ['RATE_LIMIT_CHANNEL_RPS', '-1'],
    ['INBOUND_SMTP_PORT', 'smtp'],
    ['ATTACHMENTS_S3_BUCKET', 'No Bucket'],
    ['ATTACHMENTS_S3_ENDPOINT', 'minio:9000'],
    ['ATTACHMENTS_S3_PATH_STYLE', 'perhaps'],
    ['WEBHOOK_RETRY_BASE_MS', '0'],
    ['WEBHOOK_TIMEOUT_MS', '60000'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/8,'],
    ['WEBHOOK_ALLOWED_NETWORKS', '010.0.0.0/8'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s by name', (name, value) =>
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: `)),
  );

  it('takes a public URL with a path, and an operator key with blanks within', () =>
    expect(
      readConfig({ PARLEY_PUBLIC_URL: 'https://acme.example/parley/', PARLEY_ADMIN_KEY: 'a key + @ more' }),
    ).toMatchObject({ publicUrl: 'https://acme.example/parley', adminKey: 'a key + @ more' }));

  it('takes origins as a browser would write them', () =>
    expect(
      readConfig({
        CORS_ORIGINS: 'https://App.Acme.example:443, http://localhost:5173,https://bücher.example',
      }).corsOrigins,
    ).toEqual(['https://app.acme.example', 'http://localhost:5173', 'https://xn--bcher-kva.example']));

  it('wants the credentials of the bucket that it is given', () => {
    const env = { ATTACHMENTS_S3_BUCKET: 'parley', ATTACHMENTS_S3_ENDPOINT: 'http://minio:9000' };
    expect(() => readConfig(env)).toThrow(/S3_ACCESS_KEY_ID[^]*S3_SECRET_ACCESS_KEY/);
    const keys = { ATTACHMENTS_S3_ACCESS_KEY_ID: 'id', ATTACHMENTS_S3_SECRET_ACCESS_KEY: 'secret' };
    expect(readConfig({ ...env, ...keys }).attachmentsS3).toEqual({
      bucket: 'parley',
      endpoint: 'http://minio:9000',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      pathStyle: true,
    });
  });

  it('takes replicas of the database that it is given', () => {
    const replicas = { DATABASE_REPLICA_URLS: 'postgres://db2/parley, postgresql://db3:5433/parley' };
    expect(readConfig({ ...replicas, DATABASE_URL: 'postgres://db/parley' }).databaseReplicaUrls).toEqual([
      'postgres://db2/parley',
      'postgresql://db3:5433/parley',
    ]);
    expect(() => readConfig(replicas)).toThrow(/^DATABASE_REPLICA_URLS: needs DATABASE_URL/);
  });

  it('wants a certificate and its key together', () => {
    expect(() => readConfig({ INBOUND_SMTP_TLS_CERT: 'mx.crt' })).toThrow(/^INBOUND_SMTP_TLS_KEY: /);
    expect(() => readConfig({ INBOUND_SMTP_TLS_KEY: 'mx.key' })).toThrow(/^INBOUND_SMTP_TLS_CERT: /);
    expect(
      readConfig({ INBOUND_SMTP_TLS_CERT: 'mx.crt', INBOUND_SMTP_TLS_KEY: 'mx.key' }).inboundSmtpTls,
    ).toEqual({ certificateFile: 'mx.crt', keyFile: 'mx.key' });
  });

  it.each([
    ['DATABASE_URL', 'postgress://parley:secret@db/parley'],
    ['DATABASE_REPLICA_URLS', 'postgres://parley@db2/parley,postgress://parley:secret@db/parley'],
    ['REDIS_URL', 'redis:/:secret@db'],
    ['REDIS_URL', 'redis+sentinel://:secret@db'],
    ['ATTACHMENTS_S3_ENDPOINT', 'secret@minio'],
    ['PARLEY_SECRET_KEY', 'secret'],
    ['PARLEY_PUBLIC_URL', 'https://ada:secret@parley.example'],
    ['PARLEY_ADMIN_KEY', ' secret'],
  ])('does not repeat what %s was set to, which may be a secret', (name, value) =>
    expect(() => readConfig({ [name]: value })).toThrow(/^(?![^]*secret)/),
  );

  it('names every variable that is wrong', () => {
    const refusal = () => readConfig({ PORT: 'x', LOG_LEVEL: 'x' });
    expect(refusal).toThrow(ConfigurationError);
    expect(refusal).toThrow(/PORT[^]*LOG_LEVEL/);
  });
});
