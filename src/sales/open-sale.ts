import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { newReference } from '#kernel/external-reference.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { atVersion } from '#http/versions/versioned.js';
import { claimingExternalId } from '#http/records/claim-external-id.js';
import { ConversationHolds } from '../conversations/conversations.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import { sale, type Sale } from './sale.js';
import { stampedSale } from './shown-sale.js';
import { refusingDropped, SaleLinks } from './sale-links.js';
import type { CreateSaleBody, SaleResponse } from './sales.dto.js';
import { sales } from './sales.projection.js';

/** Opens a sale in a stage. Refuses unknown ids and custom values that break their definitions (400). */
export class OpenSale extends Command<SaleResponse> {
  constructor(
    readonly context: Context,
    readonly body: CreateSaleBody,
  ) {
    super();
  }
}

@CommandHandler(OpenSale)
export class OpenSaleHandler implements ICommandHandler<OpenSale> {
  constructor(
    private readonly store: EventStore,
    private readonly links: SaleLinks,
    private readonly directory: Directory,
    private readonly conversations: ConversationHolds,
  ) {}

  async execute({ context, body }: OpenSale): Promise<SaleResponse> {
    const { organizationId } = context;
    const stage = await this.links.stage(organizationId, body.status_id);
    const custom_fields = await this.directory.newCustomValues(
      organizationId,
      'sales',
      body.custom_fields ?? null,
    );
    const { links, requires } = await this.links.read(organizationId, body);
    const sale_id = newId('sale');
    const open = (associated_conversation_ids: string[]) => {
      const events = sale.decide(null, {
        type: 'OpenSale',
        sale_id,
        stage,
        company_id: null,
        owner_id: null,
        associated_contacts: [],
        ...links,
        associated_conversation_ids,
        custom_fields,
        ...(body.name != null && { name: body.name }),
        ...(body.expected_close_on != null && { expected_close_on: body.expected_close_on }),
        ...newReference(body),
        at: now(),
      });
      return this.store.append(
        context,
        [appendTo(sales, sale_id, NEW, events, requires)],
        claimingExternalId(sales, context, sale_id, body.external_id),
      );
    };
    const [opened] = await this.conversations
      .holding(organizationId, links.associated_conversation_ids ?? [], open)
      .catch(refusingDropped(body.status_id));
    return atVersion(stampedSale(opened!.state as Sale), opened!.version);
  }
}
