import type { Instant } from '#kernel/instant.js';
import type { Database } from '#database/database.js';
import type { Transaction } from '#database/statements/statement.js';

/**
 * Identifies a request. Of all requests with the same `id` (a hash) one is carried out; `fingerprint` is the hash of the
 * content.
 */
export interface RequestIdentity {
  organizationId: string;
  id: string;
  fingerprint: string;
}

/** An answer as it was given. */
export interface StoredAnswer {
  fingerprint: string;
  status: number;
  headers: Record<string, string>;
  /** The bytes of the body; empty for none. */
  body: string;
}

/** How long answers are kept, by the database's clock, which all processes share. */
const KEPT = `interval '24 hours'`;
const SWEPT_AT_ONCE = 1_000;

/**
 * Locks the request for this transaction and looks for the answer to an earlier one. The lock draws no xid, so that an
 * append may follow. It is tried before the look-up: if it is refused, the answer may have been stored meanwhile.
 */
export async function beginRequest(
  tx: Transaction,
  { organizationId, id }: RequestIdentity,
): Promise<{ alone: boolean; answer: StoredAnswer | undefined }> {
  const [locks, answers] = await Promise.all([
    tx.query<{ alone: boolean }>({
      name: 'idempotency_lock',
      text: `SELECT pg_try_advisory_xact_lock(es_lock_key($1, 'request:' || $2)) AS alone`,
      values: [organizationId, id],
    }),
    tx.query<StoredAnswer>({
      name: 'idempotency_answer',
      text: `SELECT fingerprint, status, headers, body FROM idempotency
              WHERE organization_id = $1 AND request = $2 AND created_at > now() - ${KEPT}`,
      values: [organizationId, id],
    }),
  ]);
  return { alone: locks[0]!.alone, answer: answers[0] };
}

/** Stores the answer, replacing one that is too old to count. */
export async function keepAnswer(
  tx: Transaction,
  { organizationId, id, fingerprint }: RequestIdentity,
  { status, headers, body }: Omit<StoredAnswer, 'fingerprint'>,
): Promise<void> {
  await tx.query({
    name: 'idempotency_keep',
    text: `INSERT INTO idempotency (organization_id, request, fingerprint, status, headers, body, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, now())
           ON CONFLICT (organization_id, request) DO UPDATE SET fingerprint = excluded.fingerprint,
             status = excluded.status, headers = excluded.headers, body = excluded.body, created_at = excluded.created_at`,
    values: [organizationId, id, fingerprint, status, JSON.stringify(headers), body],
  });
}

/** Deletes some answers that are too old; gives whether there may be more. */
export async function forgetOldAnswers(database: Database): Promise<boolean> {
  const found = await database.query<{ organization_id: string; requests: string[]; latest: Instant }>({
    text: `SELECT organization_id, array_agg(request) AS requests, max(created_at) AS latest
             FROM (SELECT organization_id, request, created_at FROM idempotency
                    WHERE created_at <= now() - ${KEPT} ORDER BY created_at LIMIT ${SWEPT_AT_ONCE}) old
            GROUP BY organization_id`,
  });
  for (const { organization_id, requests, latest } of found)
    await database.query({
      // An answer that was stored again meanwhile is new.
      text: 'DELETE FROM idempotency WHERE organization_id = $1 AND request = ANY ($2) AND created_at <= $3',
      values: [organization_id, requests, latest],
    });
  return found.reduce((sum, { requests }) => sum + requests.length, 0) === SWEPT_AT_ONCE;
}
