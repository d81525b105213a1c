import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';

/** With which key a session began; `key_id` is null for the operators'. */
export interface SessionRow {
  key_id: string | null;
  secret_hash: Buffer;
}

/** Reads and writes sessions. They end by the database's clock, which all processes share. */
@Injectable()
export class SessionQueries {
  constructor(private readonly database: Database) {}

  async open(tokenHash: Buffer, { key_id, secret_hash }: SessionRow, seconds: number): Promise<void> {
    await this.database.query({
      name: 'console_session_open',
      text: `INSERT INTO console_session (token_hash, key_id, secret_hash, created_at, expires_at)
             VALUES ($1, $2, $3, now(), now() + make_interval(secs => $4))`,
      values: [tokenHash, key_id, secret_hash, seconds],
    });
  }

  /** The session, unless it has ended. */
  async find(tokenHash: Buffer): Promise<SessionRow | undefined> {
    const [row] = await this.database.query<SessionRow>({
      name: 'console_session',
      text: 'SELECT key_id, secret_hash FROM console_session WHERE token_hash = $1 AND expires_at > now()',
      values: [tokenHash],
    });
    return row;
  }

  /** The same, and ends it: of several who ask at once, one gets it. */
  async take(tokenHash: Buffer): Promise<SessionRow | undefined> {
    const [row] = await this.database.query<SessionRow>({
      name: 'console_session_take',
      text: `DELETE FROM console_session WHERE token_hash = $1 AND expires_at > now()
             RETURNING key_id, secret_hash`,
      values: [tokenHash],
    });
    return row;
  }

  async end(tokenHash: Buffer): Promise<void> {
    await this.database.query({
      name: 'console_session_end',
      text: 'DELETE FROM console_session WHERE token_hash = $1',
      values: [tokenHash],
    });
  }

  /** Deletes those that have ended by themselves. */
  async forgetEnded(): Promise<void> {
    await this.database.query({ text: 'DELETE FROM console_session WHERE expires_at <= now()' });
  }
}
