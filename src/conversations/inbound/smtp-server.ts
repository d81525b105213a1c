import { randomUUID } from 'node:crypto';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { CONFIG, type Config } from '../../config/config.js';
import { ROLES, type Roles } from '#config/roles.js';
import { readInboundSmtpTls } from '../../config/tls.js';
import { LARGEST_MAIL } from '#http/input/bodies.js';
import { NoRoom, Spool, SPOOL_FOLDER, type Spooled, TooManyBytes } from '#http/input/spool.js';
import { Channels } from '../../workspace/workspace.contract.js';
import { MailReceiver } from './mail-receiver.js';
import { NoTurn } from './reading-room.js';
import { SILENCE_MS, SmtpSessions } from './smtp-sessions.js';
import { MailTooLarge, MailUnreadable } from '#mail/mail-parser.js';

const MOST_CONNECTIONS = 50;
/** As many recipients as every server must accept (RFC 5321, 4.5.3.1.8). */
const MOST_RECIPIENTS = 100;
/** How long mails on their way in may still take when the process is to end, in milliseconds. */
const CLOSE_PATIENCE_MS = 3_000;

/** The end of the greeting, to tell our server from another one on the machine. */
export const SMTP_BANNER = 'Parley';

/** Receives mail over SMTP where INBOUND_SMTP_PORT is set. The recipient's address selects the channel. */
@Injectable()
export class InboundSmtp implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('smtp');
  private readonly spool: Spool;
  private server?: SMTPServer;

  constructor(
    private readonly channels: Channels,
    private readonly mail: MailReceiver,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(ROLES) private readonly roles: Roles,
  ) {
    this.spool = new Spool(join(config.dataDir, SPOOL_FOLDER));
  }

  async onApplicationBootstrap(): Promise<void> {
    const { inboundSmtpPort: port, inboundSmtpTls: tls, host } = this.config;
    if (port === null || !this.roles.api) return;
    // Loaded only where it listens.
    const { SMTPServer } = await import('smtp-server');
    const sessions = new SmtpSessions(() => server.connections);
    const server: SMTPServer = new SMTPServer({
      banner: SMTP_BANNER,
      authOptional: true,
      disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
      ...(tls && (await readInboundSmtpTls(tls))),
      size: LARGEST_MAIL,
      maxClients: MOST_CONNECTIONS,
      maxRecipients: MOST_RECIPIENTS,
      closeTimeout: CLOSE_PATIENCE_MS,
      socketTimeout: SILENCE_MS,
      onConnect: (session, done) =>
        done(sessions.begin(session) ? null : reply(421, 'too many connections from this address')),
      onClose: (session) => sessions.end(session),
      onRcptTo: ({ address }, _session, done) => {
        this.channels.organizationOfAddress(address).then(
          (known) => done(known ? null : reply(550, 'no such mailbox here')),
          () => done(reply(451, 'try again')),
        );
      },
      onData: (stream, session, done) => {
        this.receive(session, stream).then(
          () => done(),
          (error: unknown) => done(this.refusal(error)),
        );
      },
    });
    this.server = server;
    await listening(server, port, host);
    server.on('error', (error) => this.log.warn(String(error)));
  }

  async onApplicationShutdown(): Promise<void> {
    await new Promise<void>((resolve) => (this.server ? this.server.close(resolve) : resolve()));
  }

  private async receive(session: SMTPServerSession, stream: SMTPServerDataStream): Promise<void> {
    const raw = await this.spool.take(whole(stream), LARGEST_MAIL);
    try {
      await this.deliver(session, raw);
    } finally {
      await raw.remove();
    }
  }

  private async deliver(session: SMTPServerSession, raw: Spooled): Promise<void> {
    const organizations = new Set<string>();
    for (const { address } of session.envelope.rcptTo) {
      const organizationId = await this.channels.organizationOfAddress(address);
      // The channel was removed after RCPT: the sending server keeps the mail, and learns of the address when it tries
      // again.
      if (!organizationId) throw new Error(`${address} has no channel any more`);
      organizations.add(organizationId);
    }
    for (const organizationId of organizations)
      await this.mail.receive(
        {
          organizationId,
          actor: { type: 'provider', id: null },
          requestId: randomUUID(),
          traceparent: null,
        },
        raw,
        { recipients: session.envelope.rcptTo.map(({ address }) => address) },
      );
  }

  private refusal(error: unknown): Error {
    if (error instanceof MailTooLarge || error instanceof TooManyBytes)
      return reply(552, 'the mail is too large');
    if (error instanceof NoRoom || error instanceof NoTurn) return reply(452, 'try again later');
    if (error instanceof MailUnreadable) return reply(554, error.message);
    this.log.warn(`mail not taken: ${String(error)}`);
    return reply(451, 'try again later');
  }
}

/** Resolves when the server listens. */
const listening = (server: SMTPServer, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.on('error', (error: Error & { code?: string }) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is in use. Choose another one with INBOUND_SMTP_PORT.`)
          : error,
      ),
    );
    server.listen(port, host, resolve);
  });

const reply = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

/** The chunks of the mail. Those that nobody takes are read and dropped: the answer is due at the mail's end. */
async function* whole(stream: SMTPServerDataStream): AsyncGenerator<Buffer> {
  try {
    yield* stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } finally {
    await finished(stream.resume(), { writable: false });
  }
}
