import { Injectable } from '@nestjs/common';
import type { Reader } from '#database/statements/statement.js';
import { Database } from '#database/database.js';
import { Problem } from '#http/problems/problem.js';
import { type Address, Suppressions } from '../suppressions/suppressions.contract.js';
import type { Draft } from './draft.js';
import { addressesOf, type DraftContent } from './draft-content.js';

/** A draft, or what is to become one. */
type Addressed = Pick<Draft, 'kind'> & DraftContent & Partial<Pick<Draft, 'delivery'>>;

/** Tells whom a draft may not be sent to: a first message to nobody who is suppressed, a reply to nobody whose address bounced. */
@Injectable()
export class SuppressedRecipients {
  constructor(
    private readonly database: Database,
    private readonly suppressions: Suppressions,
  ) {}

  /** Throws `recipient_suppressed` (400) naming them. */
  async refuse(organizationId: string, modality: string, draft: Addressed): Promise<void> {
    const found = await this.of(this.database, organizationId, modality, draft);
    if (found.length === 0) return;
    const errors = found.map(({ address, reason }) => ({
      field: fieldOf(address, draft),
      detail: `${address} is suppressed (${reason})`,
    }));
    const detail = errors.map(({ field, detail }) => `${field}: ${detail}`).join('; ');
    throw new Problem(400, 'recipient_suppressed', `${detail}.`, { errors });
  }

  /** Why a draft cannot leave; null when it can. A mail that some recipients have already leaves to the others. */
  async refusalOf(organizationId: string, draft: Draft): Promise<string | null> {
    const found = await this.of(this.database, organizationId, draft.modality!, draft);
    if (found.length === 0) return null;
    return found.map(({ address, reason }) => `${address} is suppressed (${reason})`).join('; ');
  }

  private async of(
    reader: Reader,
    organizationId: string,
    modality: string,
    draft: Addressed,
  ): Promise<{ address: string; reason: string }[]> {
    const found = await this.suppressions.among(reader, organizationId, addressed(modality, draft));
    return found
      .filter(({ reason }) => draft.kind === 'message' || reason === 'bounced')
      .map(({ address, reason }) => ({
        address: 'email' in address ? address.email : address.phone_number,
        reason,
      }));
  }
}

function addressed(modality: string, draft: Addressed): Address[] {
  if (modality === 'email') {
    const emails = draft.delivery?.partly?.left_to ?? addressesOf(draft);
    return emails.map((email) => ({ email }));
  }
  const { recipient_phone_number } = draft;
  return modality === 'text' && recipient_phone_number ? [{ phone_number: recipient_phone_number }] : [];
}

/** The field of the body that names the address; a reply's recipient is not of its body. */
function fieldOf(address: string, draft: Addressed): string {
  if (draft.cc_emails.includes(address)) return 'cc_emails';
  if (draft.bcc_emails.includes(address)) return 'bcc_emails';
  const kind = address === draft.recipient_phone_number ? 'phone_number' : 'email';
  return draft.kind === 'message' ? `to_${kind}` : `recipient_${kind}`;
}
