import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Session, SessionVerifier } from '#http/access/session.js';
import { CONFIG, type Config } from '../../config/config.js';
import { Directory, readApiKey } from '../../workspace/workspace.contract.js';
import { SessionQueries } from './sessions.queries.js';

/** How long a session lasts: 12 hours. */
export const SESSION_SECONDS = 12 * 3600;

const TOKEN = /^[\w-]{43}$/;

/**
 * Sessions of browsers. Each stands for the key that it began with, and ends with it: with its revocation, its expiry, or that of its
 * secret. They are looked up in the database each time, so that one that is ended is ended in every process.
 */
@Injectable()
export class ConsoleSessions implements SessionVerifier {
  constructor(
    private readonly queries: SessionQueries,
    private readonly directory: Directory,
    @Inject(CONFIG) private readonly config: Pick<Config, 'adminKey'>,
  ) {}

  /** Begins one for a valid API key, or without one for the operators; gives its token of 256 bits. */
  async begin(apiKey: string | null): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const key = apiKey === null ? null : readApiKey(apiKey)!;
    const secret_hash = key?.hash ?? this.proofOfOperator(token)!;
    await this.queries.open(hashOf(token), { key_id: key?.keyId ?? null, secret_hash }, SESSION_SECONDS);
    return token;
  }

  async find(token: string): Promise<Session | null> {
    const row = TOKEN.test(token) ? await this.queries.find(hashOf(token)) : undefined;
    if (!row) return null;
    if (row.key_id === null) {
      const proof = this.proofOfOperator(token);
      return proof && timingSafeEqual(proof, row.secret_hash)
        ? { caller: null, keyHolds: () => Promise.resolve(true) }
        : null;
    }
    const { key_id, secret_hash } = row;
    const callerNow = () => this.directory.callerWith(key_id, secret_hash);
    const caller = await callerNow();
    return caller && { caller, keyHolds: async () => (await callerNow()) !== null };
  }

  async end(token: string): Promise<void> {
    await this.queries.end(hashOf(token));
  }

  /**
   * Differs with another admin key. Operators choose theirs: a plain hash of it in the database could be guessed, this one only with
   * the token.
   */
  private proofOfOperator(token: string): Buffer | null {
    const { adminKey } = this.config;
    return adminKey === null ? null : createHmac('sha256', token).update(adminKey).digest();
  }
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
