import type { EmailChannel } from './email-channel.js';
import { tlsTrouble } from './tls-trouble.js';

const CHANNEL = { host: 'mx.acme.example', port: 587 } as EmailChannel;

/** As nodemailer hands on what Node says. */
const failed = (originalCode: string, message: string) =>
  tlsTrouble(CHANNEL, Object.assign(new Error(message), { code: 'ESOCKET', originalCode }));

describe('a certificate that is not valid', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
    ['CERT_HAS_EXPIRED', 'certificate has expired'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames: "],
  ])('is told with what to do: %s', (code, message) =>
    expect(failed(code, message)).toMatch(
      `The certificate of mx.acme.example is not valid (${message.trim()}). Renew it, or `,
    ),
  );
});

it('names a server that does not begin with TLS', () =>
  expect(failed('ERR_SSL_WRONG_VERSION_NUMBER', 'error:0A00010B')).toMatch(
    /^mx\.acme\.example does not begin with TLS at port 587\. Give /,
  ));

it.each(['ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND'])('is no trouble with TLS: %s', (code) =>
  expect(failed(code, 'x')).toBeNull(),
);
