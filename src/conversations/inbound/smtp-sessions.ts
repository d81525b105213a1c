import type { SMTPServer, SMTPServerSession } from 'smtp-server';

/** Sessions of one address at a time: large senders, and proxies, open many, and others must find room, too. */
const MOST_OF_ADDRESS = 40;
/** Milliseconds: a mail of 25 MiB may take its time; a session that only says NOOP ends with this. */
const LONGEST_MS = 600_000;
/** Milliseconds in which a client must say something. */
export const SILENCE_MS = 60_000;

/** Bounds the sessions of each address and how long a session lasts: there is room for few, and mail must come in. */
export class SmtpSessions {
  private readonly ofAddress = new Map<string, number>();
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly connections: () => SMTPServer['connections'],
    private readonly limits = { mostOfAddress: MOST_OF_ADDRESS, longestMs: LONGEST_MS },
  ) {}

  /** Whether a session may begin; if so, `end` follows. */
  begin({ id, remoteAddress }: SMTPServerSession): boolean {
    const others = this.ofAddress.get(remoteAddress) ?? 0;
    if (others >= this.limits.mostOfAddress) return false;
    this.ofAddress.set(remoteAddress, others + 1);
    this.timers.set(id, setTimeout(() => this.close(id), this.limits.longestMs).unref());
    return true;
  }

  /** Also called for a session that was refused. */
  end({ id, remoteAddress }: SMTPServerSession): void {
    if (!this.timers.has(id)) return;
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
    const left = this.ofAddress.get(remoteAddress)! - 1;
    if (left > 0) this.ofAddress.set(remoteAddress, left);
    else this.ofAddress.delete(remoteAddress);
  }

  private close(id: string): void {
    for (const connection of this.connections()) if (connection.session.id === id) connection.close();
  }
}
