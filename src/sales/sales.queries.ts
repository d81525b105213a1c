import type { EntityManager } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { foundByIds } from '#database/by-ids.js';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { RowReader } from '#database/statements/row-reader.js';
import { isId } from '#kernel/id.js';
import type { DatedPageQuery, Page } from '#http/paging/page.dto.js';
import { type Condition, type List, Pages } from '#http/paging/page.js';
import { atVersion } from '#http/versions/versioned.js';
import { type Sale, shownSale } from './sale.js';
import type { ListSalesQuery, SaleResponse } from './sales.dto.js';

const COLUMNS = `sale_id, company_id, owner_id, associated_contacts, associated_conversation_ids, status_id,
  status_history, quote_details, custom_fields, created_at, last_activity_at`;

const SALES: List = {
  name: 'sales',
  select: `SELECT ${COLUMNS} FROM sale`,
  sort: 'last_activity_at',
  id: 'sale_id',
};

/** The same list under another name, so that a cursor of one is refused by the other. */
const SALES_OF_AGENT: List = { ...SALES, name: 'sales_of_agent' };

/** Reads of sales. */
@Injectable()
export class SalesQueries {
  private readonly sales: RowReader<Sale & { stream_version: number }>;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {
    this.sales = new RowReader(database, {
      name: 'sale',
      table: 'sale',
      key: 'sale_id',
      columns: `${COLUMNS}, stream_version`,
    });
  }

  list(organizationId: string, query: ListSalesQuery): Promise<Page<SaleResponse>> {
    const { owner_id, company_id, status_id } = query;
    return this.page(SALES, organizationId, query, [
      ['owner_id =', owner_id],
      ['company_id =', company_id],
      ['status_id =', status_id],
    ]);
  }

  listOfAgent(organizationId: string, agentId: string, query: DatedPageQuery): Promise<Page<SaleResponse>> {
    return this.page(SALES_OF_AGENT, organizationId, query, [['owner_id =', agentId]]);
  }

  private async page(
    list: List,
    organizationId: string,
    query: DatedPageQuery,
    filters: Condition[],
  ): Promise<Page<SaleResponse>> {
    const page = await this.pages.read<Sale>(
      list,
      [['organization_id =', organizationId], ...filters],
      query,
    );
    return { ...page, data: page.data.map(shownSale) };
  }

  async sale(organizationId: string, saleId: string): Promise<SaleResponse | undefined> {
    if (!isId('sale', saleId)) return undefined;
    const row = await this.sales.one(organizationId, saleId);
    if (!row) return undefined;
    const { stream_version, ...state } = row;
    return atVersion(shownSale(state), stream_version);
  }

  /** The sales associated with a conversation. */
  async salesOfConversations(
    tx: Reader,
    organizationId: string,
    conversationIds: string[],
  ): Promise<string[]> {
    const rows = await tx.query<{ sale_id: string }>({
      name: 'sales_of_conversations',
      text: `SELECT DISTINCT found.sale_id FROM ${foundByIds('sale_conversation', 'conversation_id', 'sale_id')}
              ORDER BY sale_id`,
      values: [organizationId, conversationIds],
      share: { types: ['text', 'text[]'] },
    });
    return rows.map(({ sale_id }) => sale_id);
  }

  /** Which of these stages have sales now, read on the connection that holds the pipeline. */
  async stagesInUse(
    manager: Pick<EntityManager, 'query'>,
    organizationId: string,
    stageIds: string[],
  ): Promise<string[]> {
    const rows = await manager.query<{ status_id: string }[]>(
      `SELECT status_id FROM unnest($2::text[]) AS asked(status_id)
        WHERE EXISTS (SELECT FROM sale WHERE organization_id = $1 AND sale.status_id = asked.status_id)`,
      [organizationId, stageIds],
    );
    return rows.map(({ status_id }) => status_id);
  }
}
