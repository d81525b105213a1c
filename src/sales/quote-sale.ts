import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { RuleViolation } from '#kernel/decider.js';
import { isId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { type Decimal, isAmount, totalOf } from '#kernel/money.js';
import { EventStore } from '#event-store/event-store.js';
import { notFound } from '#http/problems/problem.js';
import { atVersion } from '#http/versions/versioned.js';
import { TagQueries } from '../tags/tags.contract.js';
import { type QuoteDetails, sale } from './sale.js';
import { stampedSale } from './shown-sale.js';
import type { QuoteBody, SaleResponse } from './sales.dto.js';
import { sales } from './sales.projection.js';

/** Gives a sale its quote, replacing an earlier one. */
export class QuoteSale extends Command<SaleResponse> {
  constructor(
    readonly context: Context,
    readonly saleId: string,
    readonly body: QuoteBody,
  ) {
    super();
  }
}

@CommandHandler(QuoteSale)
export class QuoteSaleHandler implements ICommandHandler<QuoteSale> {
  constructor(
    private readonly store: EventStore,
    private readonly tags: TagQueries,
  ) {}

  async execute({ context, saleId, body }: QuoteSale): Promise<SaleResponse> {
    if (!isId('sale', saleId)) throw notFound('sale', saleId);
    const quote_details = quoteOf(body);
    const { state, version } = await this.store.change(context, sales, saleId, ({ state }) => {
      if (!state) throw notFound('sale', saleId);
      return sale.decide(state, { type: 'QuoteSale', quote_details, at: now() });
    });
    return this.tags.present(context.organizationId, atVersion(stampedSale(state!), version));
  }
}

/** The quote for these products. The total is their exact sum, or the agent's own. */
export function quoteOf({ currency, products, agent_overrides }: QuoteBody): QuoteDetails {
  return {
    output: { currency, total_price: overriddenTotal(agent_overrides) ?? totalOf(products) },
    arguments: {
      products: products.map(({ product_name, quantity, unit_price }) => ({
        product_name,
        quantity,
        unit_price,
      })),
    },
    ...(agent_overrides && { agent_overrides }),
  };
}

function overriddenTotal(overrides: QuoteBody['agent_overrides']): Decimal | null {
  const total = overrides?.['total_price'] ?? null;
  if (total !== null && !isAmount(total))
    throw new RuleViolation(
      'validation_failed',
      'must be decimal text such as "1200.50"',
      'agent_overrides.total_price',
    );
  return total;
}
