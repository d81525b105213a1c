import type { EntityManager } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { foundByIds } from '#database/by-ids.js';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { RowReader } from '#database/statements/row-reader.js';
import { isId } from '#kernel/id.js';
import { hasExternalId } from '#event-store/external-ids.js';
import type { Page, UpdatedPageQuery } from '#http/paging/page.dto.js';
import type { FoundRecords } from '#http/expansion/record-readers.js';
import type { Condition, List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import { atVersion } from '#http/versions/versioned.js';
import { hasTags, tagsOf } from '../tags/tags.contract.js';
import { Directory, hasValues } from '../workspace/workspace.contract.js';
import type { Sale } from './sale.js';
import { sales } from './sales.projection.js';
import { stampedSale } from './shown-sale.js';
import type { ListSalesQuery, SaleResponse } from './sales.dto.js';

const COLUMNS = `sale_id, company_id, owner_id, associated_contacts, associated_conversation_ids, status_id,
  status_history, quote_details, custom_fields, created_at, last_activity_at, name, expected_close_on, closed_at,
  external_id, metadata, merged_external_ids, ${tagsOf('sale')}, updated_at`;

/** The total of the quote, whatever its currency; below all totals where there is no quote. */
const VALUE = `coalesce((quote_details #>> '{output,total_price}')::numeric, '-Infinity')`;

const SALES: List = {
  name: 'sales',
  select: `SELECT ${COLUMNS} FROM sale`,
  sort: 'last_activity_at',
  id: 'sale_id',
  orders: {
    '-created_at': { sort: 'created_at' },
    '-value': { sort: VALUE, type: 'numeric', isHidden: true },
  },
};

/** The same list under another name, so that a cursor of one is refused by the other. */
const SALES_OF_AGENT: List = {
  name: 'sales_of_agent',
  select: SALES.select,
  sort: SALES.sort,
  id: SALES.id,
};

/** Reads of sales. */
@Injectable()
export class SalesQueries {
  private readonly sales: RowReader<Sale & { stream_version: number }>;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly directory: Directory,
  ) {
    this.sales = new RowReader(database, {
      name: 'sale',
      table: 'sale',
      key: 'sale_id',
      columns: `${COLUMNS}, stream_version`,
    });
  }

  async list(organizationId: string, query: ListSalesQuery): Promise<Page<SaleResponse>> {
    const { owner_id, company_id, status_id, contact_id, conversation_id, min_value, max_value } = query;
    const customValues = await this.directory.customFilter(organizationId, 'sales', query.custom_fields);
    return this.page(SALES, organizationId, query, [
      ['owner_id =', owner_id],
      ['company_id =', company_id],
      ['status_id =', status_id],
      [
        `sale_id = ANY (ARRAY(
           SELECT sale_id FROM sale its WHERE its.organization_id = $1
              AND its.associated_contacts @> jsonb_build_array(jsonb_build_object('contact_id', ?::text))))`,
        contact_id,
      ],
      [
        `sale_id = ANY (ARRAY(
           SELECT sale_id FROM sale_conversation own WHERE own.organization_id = $1 AND own.conversation_id = ?))`,
        conversation_id,
      ],
      [`${VALUE} >= ?::numeric`, min_value],
      [`quote_details IS NOT NULL AND ${VALUE} <= ?::numeric`, max_value],
      hasExternalId(sales.row, query.external_id),
      ['expected_close_on IS NOT NULL AND expected_close_on < (?)', query.closing_before],
      ['expected_close_on IS NOT NULL AND expected_close_on >= (?)', query.closing_after],
      hasValues(customValues),
      ...hasTags('sale', query.tag_id),
    ]);
  }

  listOfAgent(organizationId: string, agentId: string, query: UpdatedPageQuery): Promise<Page<SaleResponse>> {
    return this.page(SALES_OF_AGENT, organizationId, query, [['owner_id =', agentId]]);
  }

  private async page(
    list: List,
    organizationId: string,
    query: UpdatedPageQuery,
    filters: Condition[],
  ): Promise<Page<SaleResponse>> {
    const page = await this.pages.read<Sale>(
      list,
      [['organization_id =', organizationId], ...filters],
      query,
    );
    return { ...page, data: page.data.map(stampedSale) };
  }

  async sale(organizationId: string, saleId: string): Promise<SaleResponse | undefined> {
    if (!isId('sale', saleId)) return undefined;
    const row = await this.sales.one(organizationId, saleId);
    return row && shownRow(row);
  }

  /** As `sale`. */
  async salesByIds(organizationId: string, ids: string[], room: number): Promise<FoundRecords> {
    const { rows, isWhole } = await this.sales.within(room, organizationId, ids);
    return { byId: new Map(rows.map((row) => [row.sale_id, shownRow(row)])), isWhole };
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

  /** The sales of a company, or that a contact is associated with. */
  async salesWithParty(
    tx: Reader,
    organizationId: string,
    type: 'company' | 'contact',
    id: string,
  ): Promise<string[]> {
    const isParty = {
      company: 'company_id = $2',
      contact: "associated_contacts @> jsonb_build_array(jsonb_build_object('contact_id', $2::text))",
    };
    const rows = await tx.query<{ sale_id: string }>({
      name: `sales_of_${type}`,
      text: `SELECT sale_id FROM sale WHERE organization_id = $1 AND ${isParty[type]}`,
      values: [organizationId, id],
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

const shownRow = ({ stream_version, ...state }: Sale & { stream_version: number }): SaleResponse =>
  atVersion(stampedSale(state), stream_version);
