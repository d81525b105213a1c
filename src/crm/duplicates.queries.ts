import { Injectable } from '@nestjs/common';
import { foundByIds } from '#database/by-ids.js';
import { Database } from '#database/database.js';
import { Cursors } from '#http/paging/cursors.js';
import type { Page, PageQuery } from '#http/paging/page.dto.js';
import { CONTACT_COLUMNS } from './crm.queries.js';
import type { ContactResponse, DuplicateReason, DuplicateResponse } from './crm.dto.js';

/** Contacts that one request looks through at most; a page may so end before its limit, with more to come. */
const MOST = 10_000;
const DEFAULT_LIMIT = 50;

/** What makes two contacts alike, in the order in which pairs are listed. A pair that is alike in several ways comes once. */
const WAYS: { reason: DuplicateReason; by: string[]; where: string; isNew: string }[] = [
  { reason: 'email', by: ['email_key'], where: 'email_key IS NOT NULL', isNew: 'true' },
  {
    reason: 'phone',
    by: ['phone_key'],
    where: 'phone_key IS NOT NULL',
    isNew: 'email_key IS NULL OR email_key IS DISTINCT FROM earlier_email',
  },
  {
    reason: 'name_and_company',
    by: ['company_id', 'name_key'],
    where: "company_id IS NOT NULL AND name_key <> ''",
    isNew: `(email_key IS NULL OR email_key IS DISTINCT FROM earlier_email)
        AND (phone_key IS NULL OR phone_key IS DISTINCT FROM earlier_phone)`,
  },
];

/** How far a reader has come: the way, and the contact in the order of that way. */
type Place = [way: number, ...contact: string[]];

interface Found {
  pairs: { earlier: string; contact_id: string; place: string[] }[] | null;
  last: string[] | null;
  scanned: number;
}

/** Finds contacts that may be the same person. Each is paired with the one before it that is alike. */
@Injectable()
export class DuplicateQueries {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  async list(organizationId: string, query: PageQuery): Promise<Page<DuplicateResponse>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const scope = JSON.stringify(['duplicates', organizationId]);
    let next: Place | null = query.cursor === undefined ? [0] : this.cursors.read<Place>(query.cursor, scope);
    const pairs: { reason: DuplicateReason; ids: [string, string] }[] = [];
    for (let room = MOST; next && room > 0 && pairs.length < limit;) {
      const [way, ...after]: Place = next;
      const { reason } = WAYS[way]!;
      const found = await this.pairsOf(organizationId, way, after, limit - pairs.length, room);
      const these = found.pairs ?? [];
      for (const { earlier, contact_id } of these) pairs.push({ reason, ids: [earlier, contact_id] });
      if (pairs.length === limit) next = [way, ...these.at(-1)!.place];
      else if (found.scanned === room) next = [way, ...found.last!];
      else next = way + 1 < WAYS.length ? [way + 1] : null;
      room -= found.scanned;
    }
    const next_cursor = next && this.cursors.write(next, scope);
    return {
      data: await this.shown(organizationId, pairs),
      pagination: { limit, cursor: query.cursor ?? null, next_cursor, has_more: next_cursor !== null },
    };
  }

  /** Pairs among the next contacts in the order of this way; the contact of the place is only the first one's partner. */
  private async pairsOf(
    organizationId: string,
    way: number,
    after: string[],
    limit: number,
    room: number,
  ): Promise<Found> {
    const { by, where, isNew } = WAYS[way]!;
    const order = [...by, 'created_at', 'contact_id'];
    const columns = [...new Set([...order, 'email_key', 'phone_key'])].join(', ');
    const values = order.map((one, nr) => `$${nr + 4}${one === 'created_at' ? '::timestamptz' : ''}`);
    const beyond = after.length === 0 ? 'true' : `(${order.join(', ')}) >= (${values.join(', ')})`;
    const place = `jsonb_build_array(${order.map((one) => `${one}::text`).join(', ')})`;
    const backwards = order.map((one) => `${one} DESC`).join(', ');
    const [found] = await this.database.query<Found>({
      text: `WITH scanned AS (
               SELECT ${columns} FROM contact
                WHERE organization_id = $1 AND ${where} AND ${beyond} ORDER BY ${order.join(', ')} LIMIT $3),
             paired AS (
               SELECT *, lag(contact_id) OVER alike AS earlier, lag(email_key) OVER alike AS earlier_email,
                      lag(phone_key) OVER alike AS earlier_phone
                 FROM scanned WINDOW alike AS (PARTITION BY ${by.join(', ')} ORDER BY created_at, contact_id))
             SELECT (SELECT jsonb_agg(jsonb_build_object('earlier', earlier, 'contact_id', contact_id, 'place', place))
                       FROM (SELECT earlier, contact_id, ${place} AS place FROM paired
                              WHERE earlier IS NOT NULL AND (${isNew})
                              ORDER BY ${order.join(', ')} LIMIT $2) pair) AS pairs,
                    (SELECT ${place} FROM scanned ORDER BY ${backwards} LIMIT 1) AS last,
                    (SELECT count(*)::int FROM scanned) AS scanned`,
      values: [organizationId, limit, room, ...after],
    });
    return found!;
  }

  private async shown(
    organizationId: string,
    pairs: { reason: DuplicateReason; ids: [string, string] }[],
  ): Promise<DuplicateResponse[]> {
    const ids = [...new Set(pairs.flatMap((pair) => pair.ids))];
    if (ids.length === 0) return [];
    const rows = await this.database.query<ContactResponse>({
      name: 'contacts_of_pairs',
      text: `SELECT found.* FROM ${foundByIds('contact', 'contact_id', CONTACT_COLUMNS)}`,
      values: [organizationId, ids],
    });
    const contacts = new Map(rows.map((row) => [row.contact_id, row]));
    return pairs.flatMap(({ reason, ids: [one, other] }) => {
      const [older, younger] = [contacts.get(one), contacts.get(other)];
      // One may be gone meanwhile.
      return older && younger ? [{ reason, contact_ids: [one, other], contacts: [older, younger] }] : [];
    });
  }
}
