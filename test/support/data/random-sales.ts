import { type Client, type Json, ok } from '../clients/client.js';
import type { Random } from '../random.js';
import { followed } from './analytics-mergers.js';
import type { OracleSale, OracleWorld } from './analytics-oracle.js';

/** What a sale may be of. */
export interface SaleParts extends Pick<OracleWorld, 'stages'> {
  agents: string[];
  contacts: string[];
  companies: string[];
  conversations: string[];
}

/** Sales that are opened, changed, quoted and deleted through the API at random. What it refuses changes nothing. */
export class RandomSales {
  sales: OracleSale[] = [];

  constructor(
    private readonly random: Random,
    private readonly api: Client,
  ) {}

  async open({ stages, agents, contacts, companies, conversations }: SaleParts): Promise<void> {
    const conversation_ids = this.random.sample(conversations, this.random.integer(0, 3));
    const { status, body } = await this.api.post('sales', {
      status_id: this.one(stages.slice(0, 2)).status_id,
      owner_id: this.one([...agents, null]),
      associated_contacts: this.random.sample(contacts, 1).map((contact_id) => ({ contact_id })),
      company_id: this.one(companies) ?? null,
      conversation_ids,
    });
    if (status === 201) this.sales.push(saleOf(body, conversation_ids));
  }

  async change({ stages, agents, conversations }: SaleParts): Promise<void> {
    const sale = this.one(this.sales);
    if (!sale) return;
    const conversation_ids = this.random.sample(conversations, this.random.integer(0, 3));
    const { status_id } = this.one(stages);
    const changes = this.one<object>([
      { status_id },
      { status_id, conversation_ids },
      { owner_id: this.one([...agents, null]) },
      { conversation_ids },
    ]);
    const { status, body } = await this.api.patch(`sales/${sale.sale_id}`, changes);
    const linked = 'conversation_ids' in changes ? conversation_ids : sale.conversation_ids;
    if (status === 200) Object.assign(sale, saleOf(body, linked));
  }

  async quote(): Promise<void> {
    const sale = this.one(this.sales);
    if (!sale) return;
    const unit_price = `${this.random.integer(0, 9_999)}${this.one(['', '.5', '.0001', '.10'])}`;
    const products = [{ product_name: 'Plan', quantity: 1, unit_price }];
    const currency = this.one(['EUR', 'USD']);
    await ok(this.api.put(`sales/${sale.sale_id}/quote`, { currency, products }));
    sale.quote = { currency, total_price: unit_price };
  }

  async delete(): Promise<void> {
    const sale = this.one(this.sales);
    if (!sale) return;
    await ok(this.api.delete(`sales/${sale.sale_id}`));
    this.sales = this.sales.filter((other) => other !== sale);
  }

  /** A conversation became part of another. */
  follow(gone: string, stays: string): void {
    for (const sale of this.sales)
      sale.conversation_ids = followed(sale.conversation_ids, new Map([[gone, stays]]));
  }

  private one<Item>(items: readonly Item[]): Item {
    return items[this.random.integer(0, items.length - 1)]!;
  }
}

const saleOf = (
  { sale_id, owner_id, created_at, ...sale }: Json,
  conversation_ids: string[],
): OracleSale => ({
  sale_id,
  owner_id,
  created_at,
  quote: sale.quote_details?.output ?? null,
  conversation_ids,
  history: sale.status_history,
});
