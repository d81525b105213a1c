import type { Socket } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { until } from '../until.js';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As it came off the wire. */
  raw: string;
  parsed: ParsedMail;
  /** The Message-ID, angle brackets included. */
  messageId: string | undefined;
}

/** A reply other than acceptance at once: an SMTP code with a text, a connection that breaks off, no reply at all, or acceptance after that many milliseconds. */
export type Refusal = { code: number; text?: string } | { acceptAfter: number } | 'drop' | 'hang';

/** What the server does at each step; undefined, or no hook, is acceptance. */
export interface Responses {
  connect?: () => Refusal | undefined;
  auth?: (user: string, password: string) => Refusal | undefined;
  /** The null reverse path of a report is the empty string. */
  mailFrom?: (address: string) => Refusal | undefined;
  rcptTo?: (address: string) => Refusal | undefined;
  /** After the whole mail has come in, which `mails` holds only when it is accepted. The reply waits for a promise. */
  data?: (mail: ReceivedMail) => Refusal | undefined | Promise<Refusal | undefined>;
}

export interface TestSmtp {
  port: number;
  /** Accepted mails, in their order. */
  mails: ReceivedMail[];
  /** Every mail that came in whole, refused ones included. */
  seen: ReceivedMail[];
  /** Set its hooks to refuse. */
  respond: Responses;
  /** How many connections have been made so far. */
  connections(): number;
  /** Ends all connections, as servers do with idle ones. */
  disconnect(): void;
  /** The mails, once there are `count` of them or more. */
  waitFor(count: number): Promise<ReceivedMail[]>;
  /** Resolves once every client has gone, and every mail that came in whole has been seen. */
  deserted(): Promise<void>;
  close(): Promise<void>;
}

/** An SMTP server in this process that keeps what it accepts; `hideSMTPUTF8`: it does not say that it takes addresses beyond ASCII. */
export async function startSmtp(options: { hideSMTPUTF8?: boolean } = {}): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const seen: ReceivedMail[] = [];
  const respond: Responses = {};
  const sockets = new Map<number, Socket>();
  let connections = 0;
  let reading = 0;

  const reply = (
    refusal: Refusal | undefined,
    session: SMTPServerSession,
    done: (error?: Error | null) => void,
  ) => {
    if (refusal === undefined) return done();
    if (refusal === 'drop') return void sockets.get(session.remotePort)?.destroy();
    if (refusal === 'hang') return;
    if ('acceptAfter' in refusal) return void setTimeout(done, refusal.acceptAfter).unref();
    done(Object.assign(new Error(refusal.text ?? 'refused by the test'), { responseCode: refusal.code }));
  };

  const server = new SMTPServer({
    ...options,
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onConnect: (session, done) => reply(respond.connect?.(), session, done),
    onAuth: ({ username, password }, session, done) =>
      reply(respond.auth?.(username ?? '', password ?? ''), session, (error) =>
        done(error, error ? undefined : { user: username }),
      ),
    onMailFrom: ({ address }, session, done) => reply(respond.mailFrom?.(address ?? ''), session, done),
    onRcptTo: ({ address }, session, done) => reply(respond.rcptTo?.(address ?? ''), session, done),
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope;
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        reading++;
        simpleParser(raw).then(async (parsed) => {
          const mail: ReceivedMail = {
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            raw: raw.toString(),
            parsed,
            messageId: parsed.messageId,
          };
          seen.push(mail);
          const asked = respond.data?.(mail);
          reading--;
          const refusal = asked instanceof Promise ? await asked : asked;
          if (refusal === undefined) mails.push(mail);
          reply(refusal, session, done);
        }, done);
      });
    },
  });
  server.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    connections++;
    sockets.set(remotePort!, socket);
    socket.once('close', () => sockets.delete(remotePort!));
  });
  // A client that goes away in the middle is part of what is tested.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as { port: number }).port,
    mails,
    seen,
    respond,
    connections: () => connections,
    disconnect() {
      for (const socket of sockets.values()) socket.end();
    },
    async waitFor(count) {
      await until(() => mails.length >= count);
      return mails;
    },
    deserted: () => until(() => sockets.size === 0 && reading === 0),
    close() {
      for (const socket of sockets.values()) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
