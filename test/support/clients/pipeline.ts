import { type Json, ok, type Workspace } from './client.js';

/** A workspace's stages and a company, and what makes sales in them. */
export interface Pipeline {
  stages: Json[];
  company: Json;
  /** A sale of the company, in a stage by its place. */
  newSale: (name: string, stage?: number, more?: object) => Promise<Json>;
  /** Gives a sale a quote of one product. */
  quote: (sale: Json, currency: string, unitPrice: string, quantity?: number) => Promise<Json>;
  /** The name of the stage that it is in now. */
  stageOf: (sale: Json) => Promise<string>;
}

export async function pipelineOf({ api }: Workspace): Promise<Pipeline> {
  const stages: Json[] = (await ok(api.get('sale-statuses'))).data;
  const company = await ok(api.post('companies', { name: 'Contoso' }));
  return {
    stages,
    company,
    newSale: (name, stage = 0, more = {}) =>
      ok(
        api.post('sales', {
          name,
          status_id: stages[stage]!['status_id'],
          company_id: company['company_id'],
          ...more,
        }),
      ),
    quote: ({ sale_id }, currency, unit_price, quantity = 1) =>
      ok(
        api.put(`sales/${sale_id}/quote`, {
          currency,
          products: [{ product_name: 'Saffron', quantity, unit_price }],
        }),
      ),
    stageOf: async ({ sale_id }) => (await ok(api.get(`sales/${sale_id}`))).current_status.label,
  };
}
