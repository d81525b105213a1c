import { Injectable } from '@nestjs/common';
import { addressesIn, addressKey, eachOnce } from '#kernel/address.js';
import type { Conversation } from '../conversations/conversations.contract.js';
import { CrmQueries } from '../crm/crm.contract.js';
import { Channels } from '../workspace/workspace.contract.js';
import type { Recipient } from './draft-content.js';

/** Finds out whom a reply goes to. */
@Injectable()
export class ReplyRecipients {
  constructor(
    private readonly crm: CrmQueries,
    private readonly channels: Channels,
  ) {}

  /**
   * The conversation's contact as it is now; for e-mail, the reply addresses in the contact's latest mail come first. Our own
   * address is none: a list or a site names us beside the person, and the reply would come back to us.
   */
  async of(
    organizationId: string,
    { contact_id, last_mail }: Pick<Conversation, 'contact_id' | 'last_mail'>,
  ): Promise<Recipient> {
    const contact = await this.crm.contact(organizationId, contact_id);
    const isOwn = await this.channels.ownAddress(organizationId);
    const ofOthers = (addresses: string[]) =>
      addresses.filter((address) => address !== '' && !isOwn(address));
    const asked = ofOthers(addressesIn(last_mail?.reply_to ?? ''));
    const email = contact?.email ?? '';
    const recipient_emails = asked.length > 0 ? eachOnce(asked) : ofOthers([email]);
    const [first = null] = recipient_emails;
    // With another address the name may not fit: the address may be of a site's form, or of a colleague.
    const isTheirs = first === null || addressKey(first) === addressKey(email);
    return {
      recipient_name: (isTheirs && contact?.name) || null,
      recipient_email: first,
      recipient_emails,
      recipient_phone_number: contact?.phone_number || null,
    };
  }
}
