import type { EmailChannel } from './email-channel.js';

/** Codes of OpenSSL and Node for certificates that are self-signed, expired, another host's or of an unknown authority. */
const CERTIFICATE = /CERT|LEAF_SIGNATURE|INVALID_(?:CA|PURPOSE)|HOSTNAME_MISMATCH/;

/** What is wrong with the TLS of a mail server, by the error of its connection, and what to do; null where nothing is. */
export function tlsTrouble({ host, port }: EmailChannel, error: unknown): string | null {
  const { originalCode = '', message } = error as Error & { originalCode?: string };
  if (CERTIFICATE.test(originalCode))
    return (
      `The certificate of ${host} is not valid (${message.trim()}). Renew it, or give the channel a host that it names; ` +
      'one that an authority of your own has signed needs NODE_EXTRA_CA_CERTS.'
    );
  if (originalCode === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return `${host} does not begin with TLS at port ${port}. Give the channel another port, or secure: false, which uses STARTTLS.`;
  return null;
}
