import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { type Config, ConfigurationError } from './config.js';

/**
 * The certificate and key of the inbound SMTP port. Throws `ConfigurationError`, naming the variable whose file cannot be
 * read, or both variables when the two files are no pair.
 */
export async function readInboundSmtpTls({
  certificateFile,
  keyFile,
}: NonNullable<Config['inboundSmtpTls']>): Promise<{ cert: Buffer; key: Buffer }> {
  const cert = await contentOf('INBOUND_SMTP_TLS_CERT', certificateFile);
  const key = await contentOf('INBOUND_SMTP_TLS_KEY', keyFile);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new ConfigurationError(
      `INBOUND_SMTP_TLS_CERT, INBOUND_SMTP_TLS_KEY: no certificate with its key (${(error as Error).message})`,
    );
  }
  return { cert, key };
}

const contentOf = (variable: string, file: string): Promise<Buffer> =>
  readFile(file).catch((error: Error) => {
    throw new ConfigurationError(`${variable}: cannot be read (${error.message})`);
  });
