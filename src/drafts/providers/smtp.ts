import { Readable } from 'node:stream';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';
import { CONFIG, type Config } from '../../config/config.js';
import { Deadline } from '#kernel/deadline.js';
import { refusesAddressForGood, refusesOnlyRecipientForGood } from '#mail/address-status.js';
import { type EmailChannel, tlsTrouble } from '../../workspace/workspace.contract.js';
import type { Outcome } from '../delivery.js';

const CONNECTION_TIMEOUT_MS = 10_000;
/** A mail ready to leave: its envelope and its bytes; with files, which may be large, a stream that is opened for each try. */
export interface OutgoingMail {
  envelope: { from: string; to: string[] };
  raw: Buffer | (() => Readable);
}

interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
  /** The command that failed; `API` when the library itself refused. */
  command?: string;
  /** Of each recipient, when none was accepted. */
  rejectedErrors?: Refused[];
}

/** The refusal of a recipient. */
interface Refused {
  recipient?: string;
  responseCode?: number;
  response?: string;
}

/** An outcome, and whether the connection broke before the mail had left our hands. */
interface Attempt {
  outcome: Outcome;
  broken: boolean;
}

/** Hands mail to organizations' SMTP servers and tells exactly what became of it. Connections are reused. */
@Injectable()
export class SmtpSender implements OnApplicationShutdown {
  /**
   * How long a connection waits for the next mail of a burst. Longer would spare single mails a login, but send them by what
   * was the server when it was opened: it may have been moved, or refuse us by now.
   */
  idleMs = 250;
  private readonly idle = new Map<string, Line[]>();

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** One attempt, over by `deadline`. Never throws. */
  async send(
    channel: EmailChannel,
    mail: OutgoingMail,
    deadline = new Deadline(this.config.deliveryTimeoutMs),
  ): Promise<Outcome> {
    const key = JSON.stringify([channel.host, channel.port, channel.secure, channel.auth]);
    const used = this.idle.get(key)?.pop();
    const line = used ?? new Line(channel);
    const { outcome, broken } = await line.send(mail, deadline);
    if (outcome.kind === 'accepted') this.keep(key, line);
    else line.close();
    // The server may have closed the kept connection: that says nothing about this mail.
    return used && broken && !deadline.isOver ? this.send(channel, mail, deadline) : outcome;
  }

  onApplicationShutdown(): void {
    for (const line of [...this.idle.values()].flat()) line.close();
  }

  private keep(key: string, line: Line): void {
    const lines = this.idle.get(key) ?? [];
    this.idle.set(key, [...lines, line]);
    line.rest(this.idleMs, () => {
      const left = (this.idle.get(key) ?? []).filter((one) => one !== line);
      if (left.length > 0) this.idle.set(key, left);
      else this.idle.delete(key);
    });
  }
}

/** A connection to a server, one mail at a time. */
class Line {
  private readonly connection: SMTPConnection;
  private ready = false;
  /** Whether the server accepts addresses beyond ASCII. */
  private takesUtf8 = false;
  private fail: (error: SmtpError) => void = () => this.close();
  private resting?: NodeJS.Timeout;
  private onEnd = () => {};

  constructor(private readonly channel: EmailChannel) {
    this.connection = new SMTPConnection({
      host: channel.host,
      port: channel.port,
      secure: channel.secure,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      greetingTimeout: CONNECTION_TIMEOUT_MS,
    });
    this.connection.on('error', (error: SmtpError) => this.fail(error));
    this.connection.on('end', () => this.fail(new Error('the connection was closed')));
  }

  /** The deadline is before the end of the lease: a living worker gives up before another takes over. */
  async send(mail: OutgoingMail, deadline: Deadline): Promise<Attempt> {
    clearTimeout(this.resting);
    let broken = false;
    let handedOver = false;
    let timer: NodeJS.Timeout | undefined;
    const outcome = await new Promise<Outcome>((resolve) => {
      this.fail = (error) => {
        broken = error.responseCode === undefined && !handedOver;
        const gone = goneBy(error, mail.envelope);
        resolve(outcomeOf(error, handedOver, gone, tlsTrouble(this.channel, error)));
      };
      timer = setTimeout(() => this.fail(new Error('the attempt took too long')), deadline.left());
      this.connect(() => {
        if (!this.takesUtf8 && isBeyondAscii(mail.envelope)) return resolve(NO_SMTPUTF8);
        const bytes = watched(mail.raw, () => (handedOver = true));
        // A copy, since the library keeps in it who was accepted: by another connection, too, where two share one.
        this.connection.send({ ...mail.envelope }, bytes, (error, info) => {
          if (error) this.fail(error);
          else resolve(acceptance(info));
        });
      });
    });
    clearTimeout(timer);
    this.fail = () => this.close();
    return { outcome, broken };
  }

  /** Keeps the connection for a while; calls `onEnd` when it is gone. */
  rest(ms: number, onEnd: () => void): void {
    this.onEnd = onEnd;
    this.resting = setTimeout(() => this.close(), ms).unref();
  }

  close(): void {
    clearTimeout(this.resting);
    this.connection.close();
    this.onEnd();
    this.onEnd = () => {};
  }

  private connect(then: () => void): void {
    if (this.ready) return then();
    const { auth } = this.channel;
    const loggedIn = () => {
      this.ready = true;
      then();
    };
    this.connection.connect((error) => {
      // After TLS, the last reply is the one to EHLO.
      this.takesUtf8 = /^250[ -]SMTPUTF8\b/im.test(String(this.connection.lastServerResponse));
      if (error) this.fail(error);
      else if (auth)
        this.connection.login({ credentials: auth }, (failure) =>
          failure ? this.fail(failure) : loggedIn(),
        );
      else loggedIn();
    });
  }
}

const isBeyondAscii = ({ from, to }: OutgoingMail['envelope']): boolean =>
  [from, ...to].some((address) => /[^\0-\x7f]/.test(address));

/** Neither the address nor a mail that names it may be sent to such a server (RFC 6531, 3.2). */
const NO_SMTPUTF8: Outcome = {
  kind: 'permanent',
  error: 'The server does not take addresses beyond ASCII (SMTPUTF8).',
};

/** A stream of the bytes that calls `onTaken` after the last one: from then on the receiver may have the mail. */
function watched(raw: OutgoingMail['raw'], onTaken: () => void): Readable {
  const stream = typeof raw === 'function' ? raw() : Readable.from([raw]);
  stream.once('end', onTaken);
  return stream;
}

/** The outcome when at least one recipient was accepted; others may be refused, for now or for good. */
function acceptance({ response, rejectedErrors = [] }: SMTPConnection.SentMessageInfo): Outcome {
  const refused = rejectedErrors.map(({ recipient, responseCode, response: reason, message }) => ({
    recipient: recipient!,
    error: `${recipient}: ${reason ?? message}`,
    isFinal: responseCode !== undefined && responseCode >= 500,
  }));
  const gone = goneOf(rejectedErrors);
  return {
    kind: 'accepted',
    response,
    rejected: refused.filter(({ isFinal }) => isFinal).map(({ error }) => error),
    deferred: refused.filter(({ isFinal }) => !isFinal).map(({ recipient, error }) => ({ recipient, error })),
    ...(gone.length > 0 && { gone }),
  };
}

/** The recipients that are refused for good because of their addresses. */
const goneOf = (refused: Refused[]): string[] =>
  refused
    .filter(({ responseCode = 0, response = '' }) => refusesAddressForGood(responseCode, response))
    .map(({ recipient }) => recipient!);

/** Those of a mail that nobody got. Some servers name the address only when the mail has come in. */
function goneBy(error: SmtpError, { to }: OutgoingMail['envelope']): string[] {
  const { command, responseCode = 0, response = '', rejectedErrors = [] } = error;
  const isOnly = command === 'DATA' && to.length === 1 && refusesOnlyRecipientForGood(responseCode, response);
  return isOnly ? to : goneOf(rejectedErrors);
}

/**
 * RFC 5321 4.2.1: 4yz may succeed later, 5yz will not. Without a reply it matters whether the mail had left our hands. A
 * certificate that is not valid may be renewed within the hour.
 */
function outcomeOf(
  error: SmtpError,
  handedOver: boolean,
  gone: string[],
  tlsTrouble: string | null,
): Outcome {
  const text = tlsTrouble ?? error.response ?? error.message;
  if (error.responseCode !== undefined && error.responseCode >= 500)
    return { kind: 'permanent', error: text, ...(gone.length > 0 && { gone }) };
  if (error.responseCode !== undefined) return { kind: 'temporary', error: text };
  // For example an address that no server would take.
  if (error.command === 'API') return { kind: 'permanent', error: text };
  return { kind: handedOver ? 'unknown' : 'temporary', error: text };
}
