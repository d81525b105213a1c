import { Injectable } from '@nestjs/common';
import { addressesIn, addressKey, eachOnce } from '#kernel/address.js';
import { AnsweredMails, type Conversation } from '../conversations/conversations.contract.js';
import { CrmQueries } from '../crm/crm.contract.js';
import { Channels } from '../workspace/workspace.contract.js';
import type { Recipient } from './draft-content.js';
import { serviceOf } from './text-service.js';

/** Finds out whom a reply goes to. */
@Injectable()
export class ReplyRecipients {
  constructor(
    private readonly crm: CrmQueries,
    private readonly channels: Channels,
    private readonly answered: AnsweredMails,
  ) {}

  /**
   * The conversation's contact as it is now; for e-mail, the reply addresses in the contact's latest mail come first. Our own
   * address is none: a list or a site names us beside the person, and the reply would come back to us. For a text, the sender
   * of the latest one where that is no number that anybody can call. A contact without an address is answered where their latest
   * mail came from, one without a number where the latest text did: known by a number, somebody writes a mail.
   */
  async of(organizationId: string, conversation: Conversation): Promise<Recipient> {
    const { conversation_id, contact_id, last_mail } = conversation;
    const contact = await this.crm.contact(organizationId, contact_id);
    const isOwn = await this.channels.ownAddress(organizationId);
    const ofOthers = (addresses: string[]) =>
      addresses.filter((address) => address !== '' && !isOwn(address));
    const asked = ofOthers(addressesIn(last_mail?.reply_to ?? ''));
    const isMissing = asked.length === 0 && !contact?.email;
    const author = isMissing ? await this.answered.addressOf(organizationId, conversation) : null;
    const email = contact?.email || (author ?? '');
    const recipient_emails = asked.length > 0 ? eachOnce(asked) : ofOthers([email]);
    const [first = null] = recipient_emails;
    // With another address the name may not fit: the address may be of a site's form, or of a colleague.
    const isTheirs = first === null || addressKey(first) === addressKey(email);
    return {
      recipient_name: (isTheirs && contact?.name) || null,
      recipient_email: first,
      recipient_emails,
      ...(await this.ofText(organizationId, conversation_id, contact?.phone_number ?? '')),
    };
  }

  /** A name can only send; then there is nobody to answer, unless somebody has given the contact a number. */
  private async ofText(
    organizationId: string,
    conversationId: string,
    phoneNumber: string,
  ): Promise<Pick<Recipient, 'recipient_phone_number' | 'text_addresses'>> {
    const text = await this.answered.latestText(organizationId, conversationId);
    const sender = text?.addresses;
    if (!sender) return { recipient_phone_number: phoneNumber || (text?.phone_number ?? null) };
    if (!canBeAnswered(sender.from)) return { recipient_phone_number: phoneNumber || null };
    const service = serviceOf(sender.from);
    // A page of Messenger has no number, so it answers from where the text came to.
    const from = service !== null && service === serviceOf(sender.to) ? sender.to : null;
    return { recipient_phone_number: sender.from, text_addresses: { to: sender.from, from } };
  }
}

const canBeAnswered = (address: string): boolean => serviceOf(address) !== null || /^\+?\d+$/.test(address);
