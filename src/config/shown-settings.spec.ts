import { readConfig } from './config.js';
import { shownSettings } from './shown-settings.js';

it('settings are shown without passwords, keys and users', () => {
  const secrets = {
    DATABASE_URL: 'postgres://adele:hush-1@db.example:5432/parley?password=hush-2',
    DATABASE_DIRECT_URL: 'postgres://adele:hush-9@a:5432,b:5433/parley',
    REDIS_URL: 'redis://default:hush-3@redis.example:6379',
    PARLEY_ADMIN_KEY: 'hush-4',
    PARLEY_SECRET_KEY: 'a'.repeat(64),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://adele:hush-5@otel.example/hush-6',
    ATTACHMENTS_S3_BUCKET: 'bucket',
    ATTACHMENTS_S3_ACCESS_KEY_ID: 'hush-7',
    ATTACHMENTS_S3_SECRET_ACCESS_KEY: 'hush-8',
  };
  const shown = shownSettings(readConfig({ ...secrets, PORT: '4000', LOG_LEVEL: 'warn' }));
  expect(shown).toMatchObject({
    port: 4000,
    logLevel: 'warn',
    databaseUrl: 'db.example:5432',
    databaseDirectUrl: 'a:5432,b:5433',
    redisUrl: 'redis.example:6379',
    adminKey: 'set',
    secretKey: 'set',
    attachmentsS3: 'set',
    inboundSmtpTls: null,
    publicUrl: null,
  });
  expect(JSON.stringify(shown)).not.toMatch(/hush|adele|aaaa/);
});
