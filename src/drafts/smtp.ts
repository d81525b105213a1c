import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';
import type { EmailChannel } from '../workspace/workspace.contract.js';
import type { Outcome } from './delivery.js';

const CONNECTION_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;
/** The whole of an attempt; shorter than a delivery's lease, so that a worker that still lives has given up before another takes over. */
const ATTEMPT_TIMEOUT_MS = 40_000;

/** A mail ready to leave: its envelope and its bytes. */
export interface OutgoingMail {
  envelope: { from: string; to: string[] };
  raw: Buffer;
}

interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
}

/** Hands mail to an organization's SMTP server and says exactly what became of it. */
@Injectable()
export class SmtpSender {
  /** One attempt over one connection. Never throws. */
  async send(channel: EmailChannel, mail: OutgoingMail): Promise<Outcome> {
    const connection = new SMTPConnection({
      host: channel.host,
      port: channel.port,
      secure: channel.secure,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      greetingTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
    });
    let handedOver = false;
    try {
      return await new Promise<Outcome>((resolve) => {
        const fail = (error: SmtpError) => resolve(outcomeOf(error, handedOver));
        const timer = setTimeout(() => fail(new Error('the attempt took too long')), ATTEMPT_TIMEOUT_MS);
        timer.unref();
        connection.on('error', fail);
        connection.on('end', () => fail(new Error('the connection was closed')));
        const submit = () => {
          connection.send(
            mail.envelope,
            watched(mail.raw, () => (handedOver = true)),
            (error, info) => {
              clearTimeout(timer);
              if (error) fail(error);
              else resolve({ kind: 'accepted', response: info.response, rejected: info.rejected });
            },
          );
        };
        connection.connect((error) => {
          if (error) fail(error);
          else if (channel.auth)
            connection.login({ credentials: channel.auth }, (failure) =>
              failure ? fail(failure) : submit(),
            );
          else submit();
        });
      });
    } finally {
      connection.close();
    }
  }
}

/** The bytes as a stream that tells when the last of them has been taken: from then on the receiver may hold the mail. */
function watched(raw: Buffer, onTaken: () => void): Readable {
  const stream = Readable.from([raw]);
  stream.once('end', onTaken);
  return stream;
}

/** RFC 5321 4.2.1: 4yz may succeed later, 5yz will not. Without a reply, what counts is whether the mail had left our hands. */
function outcomeOf(error: SmtpError, handedOver: boolean): Outcome {
  const text = error.response ?? error.message;
  if (error.responseCode !== undefined)
    return { kind: error.responseCode >= 500 ? 'permanent' : 'temporary', error: text };
  return { kind: handedOver ? 'unknown' : 'temporary', error: text };
}
