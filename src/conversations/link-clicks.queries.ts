import { Injectable } from '@nestjs/common';
import { foundByIds } from '#database/by-ids.js';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import type { TrackedLinkResponse } from './conversations.dto.js';

/** How often a link was followed: in all, and by obvious scanners. */
export interface Clicks {
  click_count: number;
  scanner_count: number;
}

const NO_CLICKS: Clicks = { click_count: 0, scanner_count: 0 };

/** A link as it is shown, with the clicks on it so far. */
export function shownLink(
  { link_id, url }: { link_id: string; url: string },
  clicks: ReadonlyMap<string, Clicks>,
): TrackedLinkResponse {
  const { click_count, scanner_count } = clicks.get(link_id) ?? NO_CLICKS;
  return { link_id, url, click_count, human_click_count: click_count - scanner_count };
}

/** Counts clicks on tracked links. Clicks are no events, since a mailing may bring thousands in a minute. */
@Injectable()
export class LinkClicks {
  constructor(private readonly database: Database) {}

  /** The clicks so far, by link; links without clicks are left out. */
  async of(
    organizationId: string,
    links: { link_id: string }[],
    reader: Reader = this.database,
  ): Promise<Map<string, Clicks>> {
    if (links.length === 0) return new Map();
    const rows = await reader.query<Clicks & { link_id: string }>({
      name: 'link_clicks',
      text: `SELECT found.* FROM ${foundByIds('link_click', 'link_id', 'link_id, click_count::int, scanner_count::int')}`,
      values: [organizationId, links.map(({ link_id }) => link_id)],
    });
    return new Map(rows.map(({ link_id, ...clicks }) => [link_id, clicks]));
  }

  /** Counts one click; `byScanner` when obviously no person clicked. */
  async count(organizationId: string, linkId: string, byScanner: boolean): Promise<void> {
    await this.database.query({
      name: 'count_click',
      text: `INSERT INTO link_click (organization_id, link_id, click_count, scanner_count) VALUES ($1, $2, 1, $3)
             ON CONFLICT (organization_id, link_id) DO UPDATE
                SET click_count = link_click.click_count + 1,
                    scanner_count = link_click.scanner_count + excluded.scanner_count`,
      values: [organizationId, linkId, byScanner ? 1 : 0],
    });
  }
}
