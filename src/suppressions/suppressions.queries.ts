import { Injectable } from '@nestjs/common';
import { foundByIds } from '#database/by-ids.js';
import type { Reader } from '#database/statements/statement.js';
import type { DatedPageQuery, Page } from '#http/paging/page.dto.js';
import type { List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import type { Actor } from '#kernel/context.js';
import type { Reason, Suppression } from './suppression.js';
import type { SuppressionResponse } from './suppressions.dto.js';

const COLUMNS = 'suppression_id, email, phone_number, reason, created_at';

const SUPPRESSIONS: List = {
  name: 'suppressions',
  select: `SELECT ${COLUMNS} FROM suppression`,
  sort: 'created_at',
  id: 'suppression_id',
};

/** How a suppression came about. */
export interface Origin {
  suppression_id: string;
  reason: Reason;
  actor_type: Actor['type'];
}

/** Reads of suppressions. */
@Injectable()
export class SuppressionQueries {
  constructor(private readonly pages: Pages) {}

  list(organizationId: string, query: DatedPageQuery): Promise<Page<SuppressionResponse>> {
    return this.pages.read(SUPPRESSIONS, [['organization_id =', organizationId]], query);
  }

  /** Those of the addresses and numbers with these keys. */
  ofKeys(reader: Reader, organizationId: string, keys: string[]): Promise<Suppression[]> {
    return reader.query({
      name: 'suppressions_of_keys',
      text: `SELECT ${COLUMNS}, address_key FROM suppression
              WHERE organization_id = $1 AND address_key = ANY ($2)`,
      values: [organizationId, keys],
    });
  }

  /** How these suppressions came about. */
  origins(reader: Reader, organizationId: string, ids: string[]): Promise<Origin[]> {
    const first = `stream_id AS suppression_id, data ->> 'reason' AS reason, meta #>> '{actor,type}' AS actor_type`;
    return reader.query({
      name: 'suppression_origins',
      text: `SELECT found.* FROM ${foundByIds('es_event', 'stream_id', first, 'version = 1')}`,
      values: [organizationId, ids],
    });
  }
}
