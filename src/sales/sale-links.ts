import { Injectable } from '@nestjs/common';
import { unknownId } from '#kernel/decider.js';
import { hasCode } from '#kernel/error-code.js';
import { required, type Required } from '#event-store/required.js';
import { Directory } from '../workspace/workspace.contract.js';
import type { AssociatedContact, Revision, Stage } from './sale.js';
import type { CreateSaleBody, UpdateSaleBody } from './sales.dto.js';

type Links = Omit<Revision, 'custom_fields'>;

/** Resolves the ids in a sale's body. Unknown ones are `validation_failed`, naming the field. */
@Injectable()
export class SaleLinks {
  constructor(private readonly directory: Directory) {}

  async stage(organizationId: string, statusId: string): Promise<Stage> {
    const found = (await this.directory.stages(organizationId)).find(
      ({ status_id }) => status_id === statusId,
    );
    if (!found) throw unknownId('status_id', 'stage', statusId);
    const { status_id, label, status } = found;
    return { status_id, label, status };
  }

  /**
   * The links in the body, in the form of the sale, and the records that must exist for them. Links left out are left out
   * here.
   */
  async read(
    organizationId: string,
    body: CreateSaleBody | UpdateSaleBody,
  ): Promise<{ links: Links; requires: Required[] }> {
    const { company_id, owner_id } = body;
    const contacts = body.associated_contacts === null ? [] : body.associated_contacts;
    const conversationIds =
      body.conversation_ids === null ? [] : body.conversation_ids && [...new Set(body.conversation_ids)];
    const requires = [
      ...(company_id == null ? [] : [recordOf('company_id', 'company', company_id)]),
      ...(contacts ?? []).map(({ contact_id }, index) =>
        recordOf(`associated_contacts.${index}.contact_id`, 'contact', contact_id),
      ),
      ...(conversationIds ?? []).map((id) => recordOf('conversation_ids', 'conversation', id, 'conv')),
    ];
    await this.directory.requireAgent(organizationId, owner_id, 'owner_id');
    const links = {
      ...(company_id !== undefined && { company_id }),
      ...(owner_id !== undefined && { owner_id }),
      ...(contacts !== undefined && { associated_contacts: contacts.map(asAssociated) }),
      ...(conversationIds !== undefined && { associated_conversation_ids: conversationIds }),
    };
    return { links, requires };
  }
}

const STAGE_DROPPED = 'PE004';

/** Refuses a stage dropped after `SaleLinks.stage` had found it, in the same way as one that never existed. */
export const refusingDropped =
  (statusId: string | undefined) =>
  (error: unknown): never => {
    if (hasCode(error, STAGE_DROPPED)) throw unknownId('status_id', 'stage', statusId!);
    throw error;
  };

const asAssociated = ({
  contact_id,
  is_primary = false,
}: {
  contact_id: string;
  is_primary?: boolean;
}): AssociatedContact => ({ contact_id, is_primary });

const recordOf = (field: string, what: string, id: string, kind = what): Required =>
  required(kind, id, () => unknownId(field, what, id));
