import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Session, SessionVerifier } from '#http/access/session.js';
import { CONFIG, type Config } from '../../config/config.js';
import { Directory, readApiKey } from '../../workspace/workspace.contract.js';
import { SessionQueries } from './sessions.queries.js';

/** How long a session lasts: 12 hours. */
export const SESSION_SECONDS = 12 * 3600;

/** How long a link waits to be used: 10 minutes. */
const LINK_SECONDS = 600;

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
    const token = newToken();
    const key = apiKey === null ? null : readApiKey(apiKey)!;
    const secret_hash = key?.hash ?? this.proofOfOperator(token)!;
    await this.queries.open(hashOf(token), { key_id: key?.keyId ?? null, secret_hash }, SESSION_SECONDS);
    return token;
  }

  /** A token of 256 bits with which the holder of an API key begins one session, within ten minutes. */
  async link(apiKey: string): Promise<string> {
    const link = newToken();
    const { keyId, hash } = readApiKey(apiKey)!;
    await this.queries.open(hashOfLink(link), { key_id: keyId, secret_hash: hash }, LINK_SECONDS);
    return link;
  }

  /** The token of the session; null for a link that is none, has been used or is too old. */
  async beginByLink(link: string): Promise<string | null> {
    const row = TOKEN.test(link) ? await this.queries.take(hashOfLink(link)) : undefined;
    if (!row) return null;
    const token = newToken();
    await this.queries.open(hashOf(token), row, SESSION_SECONDS);
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

const newToken = (): string => randomBytes(32).toString('base64url');

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A link is no cookie: it is not found as one. */
const hashOfLink = (link: string): Buffer => hashOf(`link ${link}`);
