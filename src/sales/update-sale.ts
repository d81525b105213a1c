import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import type { Versioned } from '#event-store/change.js';
import { EventStore } from '#event-store/event-store.js';
import { pathFirst } from '#http/path-first.js';
import { notFound } from '#http/problems/problem.js';
import { atVersion } from '#http/versions/versioned.js';
import { claimingExternalId } from '#http/records/claim-external-id.js';
import { ConversationHolds } from '../conversations/conversations.contract.js';
import { TagQueries } from '../tags/tags.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import { sale, type Sale } from './sale.js';
import { stampedSale } from './shown-sale.js';
import { refusingDropped, SaleLinks } from './sale-links.js';
import type { SaleResponse, UpdateSaleBody } from './sales.dto.js';
import { sales } from './sales.projection.js';

/** Changes the named fields of a sale, all or none: its stage, its links, its custom values. */
export class UpdateSale extends Command<SaleResponse> {
  constructor(
    readonly context: Context,
    readonly saleId: string,
    readonly body: UpdateSaleBody,
    /** Whether naming the present stage enters it again. */
    readonly options: { entersAgain: boolean } = { entersAgain: true },
  ) {
    super();
  }
}

@CommandHandler(UpdateSale)
export class UpdateSaleHandler implements ICommandHandler<UpdateSale> {
  constructor(
    private readonly store: EventStore,
    private readonly links: SaleLinks,
    private readonly directory: Directory,
    private readonly conversations: ConversationHolds,
    private readonly tags: TagQueries,
  ) {}

  async execute({ context, saleId, body, options }: UpdateSale): Promise<SaleResponse> {
    if (!isId('sale', saleId)) throw notFound('sale', saleId);
    const { organizationId } = context;
    const { status_id, custom_fields, name, expected_close_on, external_id, metadata } = body;
    const missing = () => notFound('sale', saleId);
    const { stage, links, requires } = await this.read(organizationId, body).catch(
      pathFirst(this.store, context, sales, saleId, missing),
    );
    const { associated_conversation_ids: conversationIds } = links;
    const entered = (state: Sale) =>
      !options.entersAgain && stage?.status_id === state.status_id ? null : stage;
    const change = (held: string[]) => {
      const revision = {
        ...links,
        ...(conversationIds !== undefined && { associated_conversation_ids: held }),
        ...given({ custom_fields, name, expected_close_on, external_id }),
        ...(metadata !== undefined && { metadata: metadata ?? {} }),
      };
      const decide = ({ state }: Versioned<Sale>) => {
        if (!state) throw missing();
        return sale.decide(state, { type: 'UpdateSale', stage: entered(state), revision, at: now() });
      };
      return this.store.change(
        context,
        sales,
        saleId,
        decide,
        requires,
        claimingExternalId(sales, context, saleId, external_id),
      );
    };
    const { state, version } = await this.conversations
      .holding(organizationId, conversationIds ?? [], change)
      .catch(refusingDropped(status_id));
    return this.tags.present(context.organizationId, atVersion(stampedSale(state!), version));
  }

  private async read(organizationId: string, body: UpdateSaleBody) {
    const { status_id, custom_fields } = body;
    const stage = status_id === undefined ? null : await this.links.stage(organizationId, status_id);
    if (custom_fields) await this.directory.checkCustomValues(organizationId, 'sales', custom_fields);
    return { stage, ...(await this.links.read(organizationId, body)) };
  }
}

/** Without the fields that were left out. */
const given = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
