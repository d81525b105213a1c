import { examineEnvironment } from './environment.js';

const detailsOf = (env: Record<string, string>): string[] =>
  examineEnvironment(env).findings.flatMap(({ verdict, detail }) => (verdict === 'ok' ? [] : [detail]));

describe('of the environment the doctor tells', () => {
  it.each([
    'PARLEY_PUBLIC_ULR',
    'ATTACHMENTS_S3_BUKET',
    'CORS_ORIGIN',
    'DRAIN_SECONDS',
    'INBOUND_AUTHSERVID',
    'RATE_LIMITS',
    'ACCESS_LOGS',
    'OTEL_SERVICE_NAMES',
    'LOGLEVEL',
    'TRUSTED_PROXY',
    'WORKER_PROT',
  ])('that nothing reads %s', (name) => {
    expect(detailsOf({ [name]: 'x' })).toEqual([`${name} is set, and nothing reads it`]);
  });

  it.each([
    'HOME',
    'PATH',
    'HOSTNAME',
    'OTEL_TRACES_SAMPLER',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'ACCESS_TOKEN',
    'LOG_FILE',
  ])('nothing of %s, which is of others', (name) => expect(detailsOf({ [name]: 'x' })).toEqual([]));

  it('what is set without the variable that it needs', () => {
    expect(detailsOf({ ATTACHMENTS_S3_REGION: 'eu-west-1', ATTACHMENTS_S3_ACCESS_KEY_ID: 'x' })).toEqual([
      'ATTACHMENTS_S3_REGION, ATTACHMENTS_S3_ACCESS_KEY_ID: set without ATTACHMENTS_S3_BUCKET, and not used',
    ]);
    expect(detailsOf({ INBOUND_SMTP_TLS_CERT: 'c', INBOUND_SMTP_TLS_KEY: 'k' })).toEqual([
      'INBOUND_SMTP_TLS_CERT, INBOUND_SMTP_TLS_KEY: set without INBOUND_SMTP_PORT, and not used',
    ]);
  });
});
