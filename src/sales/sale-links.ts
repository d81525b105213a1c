import { Injectable } from '@nestjs/common';
import { RuleViolation } from '#kernel/decider.js';
import { ConversationQueries } from '../conversations/conversations.contract.js';
import { CrmQueries } from '../crm/crm.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import type { AssociatedContact, Revision, Stage } from './sale.js';
import type { CreateSaleBody, UpdateSaleBody } from './sales.dto.js';

/** Finds what the ids in a sale's body stand for. Unknown ones are `validation_failed`, naming the field. */
@Injectable()
export class SaleLinks {
  constructor(
    private readonly crm: CrmQueries,
    private readonly conversations: ConversationQueries,
    private readonly directory: Directory,
  ) {}

  async stage(organizationId: string, statusId: string): Promise<Stage> {
    const found = (await this.directory.stages(organizationId)).find(
      ({ status_id }) => status_id === statusId,
    );
    if (!found) throw unknown('status_id', 'stage', statusId);
    const { status_id, label, status } = found;
    return { status_id, label, status };
  }

  /** The links that the body names, as the sale holds them; those it leaves out are left out. */
  async read(
    organizationId: string,
    body: CreateSaleBody | UpdateSaleBody,
  ): Promise<Omit<Revision, 'custom_fields'>> {
    const { company_id, owner_id } = body;
    const contacts = body.associated_contacts === null ? [] : body.associated_contacts;
    const conversationIds =
      body.conversation_ids === null ? [] : body.conversation_ids && [...new Set(body.conversation_ids)];
    await Promise.all([
      this.requireParties(organizationId, company_id ?? null, contacts ?? []),
      this.directory.requireAgent(organizationId, owner_id, 'owner_id'),
      this.requireConversations(organizationId, conversationIds ?? []),
    ]);
    return {
      ...(company_id !== undefined && { company_id }),
      ...(owner_id !== undefined && { owner_id }),
      ...(contacts !== undefined && { associated_contacts: contacts.map(asAssociated) }),
      ...(conversationIds !== undefined && { associated_conversation_ids: conversationIds }),
    };
  }

  private async requireParties(
    organizationId: string,
    companyId: string | null,
    contacts: { contact_id: string }[],
  ): Promise<void> {
    const [company, ...people] = await Promise.all([
      companyId === null ? null : this.crm.company(organizationId, companyId),
      ...contacts.map(({ contact_id }) => this.crm.contact(organizationId, contact_id)),
    ]);
    if (company === undefined) throw unknown('company_id', 'company', companyId!);
    const index = people.indexOf(undefined);
    if (index >= 0)
      throw unknown(`associated_contacts.${index}.contact_id`, 'contact', contacts[index]!.contact_id);
  }

  private async requireConversations(organizationId: string, ids: string[]): Promise<void> {
    const found = await Promise.all(ids.map((id) => this.conversations.conversation(organizationId, id)));
    const index = found.indexOf(undefined);
    if (index >= 0) throw unknown('conversation_ids', 'conversation', ids[index]!);
  }
}

const STAGE_DROPPED = 'PE004';

/** Tells of a stage that was dropped after `SaleLinks.stage` had found it as of one that is not there. */
export const refusingDropped =
  (statusId: string | undefined) =>
  (error: unknown): never => {
    if ((error as { code?: string }).code === STAGE_DROPPED) throw unknown('status_id', 'stage', statusId!);
    throw error;
  };

const asAssociated = ({
  contact_id,
  is_primary = false,
}: {
  contact_id: string;
  is_primary?: boolean;
}): AssociatedContact => ({ contact_id, is_primary });

const unknown = (field: string, what: string, id: string) =>
  new RuleViolation('validation_failed', `there is no ${what} ${id} in this organization`, field);
