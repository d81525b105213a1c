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

/** In what two contacts may be alike: `by`, which `sources` select. */
interface Way {
  reason: DuplicateReason;
  by: string[];
  sources: Source[];
  /** SQL: which `one` of the keys that a pair shares had it listed before. */
  before: string;
}

/** Contacts by an index: what they are in order of, the same as the columns `by`, and the place in that order. */
interface Source {
  from: string;
  where: string;
  order: string[];
  by: string[];
  place: string[];
}

/** By a key, which may be that of a contact that was merged into this one. */
const byKey = (reason: DuplicateReason, kind: 'email' | 'phone'): Way => ({
  reason,
  by: ['key'],
  sources: [
    {
      from: 'contact',
      where: `${kind}_key IS NOT NULL`,
      order: [`${kind}_key`],
      by: [`'${kind}:' || ${kind}_key`],
      place: [`substr($4::text, ${kind.length + 2})`],
    },
    {
      from: 'contact_merged_key JOIN contact USING (organization_id, contact_id)',
      where: `match_key >= '${kind}:' AND match_key < '${kind};'`,
      order: ['match_key'],
      by: ['match_key'],
      place: ['$4'],
    },
  ],
  before: 'one COLLATE "C" < key',
});

/** The ways in the order in which pairs are listed. A pair that is alike in several ways comes once. */
const WAYS: Way[] = [
  byKey('email', 'email'),
  byKey('phone', 'phone'),
  {
    reason: 'name_and_company',
    by: ['company_id', 'name_key'],
    sources: [
      {
        from: 'contact',
        where: "company_id IS NOT NULL AND name_key <> ''",
        order: ['company_id', 'name_key'],
        by: ['company_id', 'name_key'],
        place: ['$4', '$5'],
      },
    ],
    before: 'true',
  },
];

/** SQL: the keys that a row of `paired` is matched by, or the contact before it. */
const keysOf = (which: '' | 'earlier_') =>
  `(jsonb_build_array('email:' || ${which}email_key, 'phone:' || ${which}phone_key) || ${which}merged_keys)`;

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
    const { by, sources, before } = WAYS[way]!;
    const order = [...by, 'created_at', 'contact_id'];
    const place = `jsonb_build_array(${order.map((one) => `${one}::text`).join(', ')})`;
    const backwards = order.map((one) => `${one} DESC`).join(', ');
    const next = sources.map((source) => nextOf(source, by, after.length > 0)).join(' UNION ALL ');
    const [found] = await this.database.query<Found>({
      text: `WITH scanned AS (SELECT * FROM (${next}) next ORDER BY ${order.join(', ')} LIMIT $3),
             paired AS (
               SELECT *, lag(contact_id) OVER alike AS earlier, lag(email_key) OVER alike AS earlier_email_key,
                      lag(phone_key) OVER alike AS earlier_phone_key, lag(merged_keys) OVER alike AS earlier_merged_keys
                 FROM scanned WINDOW alike AS (PARTITION BY ${by.join(', ')} ORDER BY created_at, contact_id))
             SELECT (SELECT jsonb_agg(jsonb_build_object('earlier', earlier, 'contact_id', contact_id, 'place', place))
                       FROM (SELECT earlier, contact_id, ${place} AS place FROM paired
                              WHERE earlier IS NOT NULL
                                AND NOT EXISTS (SELECT FROM jsonb_array_elements_text(${keysOf('')}) AS keys (one)
                                                 WHERE ${keysOf('earlier_')} ? one AND ${before})
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

/** SQL: the next contacts of a source, from the place on if there is one. */
function nextOf({ from, where, order, by, place }: Source, names: string[], hasPlace: boolean): string {
  const columns = by.map((one, nr) => `${one} AS ${names[nr]}`).join(', ');
  const ordered = [...order, 'created_at', 'contact_id'].join(', ');
  const values = [...place, `$${names.length + 4}::timestamptz`, `$${names.length + 5}`].join(', ');
  return `(SELECT ${columns}, created_at, contact_id, email_key, phone_key, merged_keys FROM ${from}
            WHERE organization_id = $1 AND ${where} ${hasPlace ? `AND (${ordered}) >= (${values})` : ''}
            ORDER BY ${ordered} LIMIT $3)`;
}
