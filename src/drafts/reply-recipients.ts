import { Injectable } from '@nestjs/common';
import { addressesIn, addressKey, eachOnce } from '#kernel/address.js';
import {
  AnsweredMails,
  type Conversation,
  type MailSender,
  type Sender,
  type TextSender,
} from '../conversations/conversations.contract.js';
import { CrmQueries } from '../crm/crm.contract.js';
import { Channels } from '../workspace/workspace.contract.js';
import type { Recipient } from './draft-content.js';
import { serviceOf } from './text-service.js';

type MailRecipients = Pick<Recipient, 'recipient_name' | 'recipient_email' | 'recipient_emails'>;

/** Finds out whom a reply goes to. */
@Injectable()
export class ReplyRecipients {
  constructor(
    private readonly crm: CrmQueries,
    private readonly channels: Channels,
    private readonly answered: AnsweredMails,
  ) {}

  /**
   * Where the latest inbound message came from, whoever of the conversation wrote it: for e-mail the addresses of its Reply-To, else
   * its From, for a text its sender. Our own address is none: a list or a site names us beside the person, and the reply would
   * come back to us. What names nobody but its contact, as a message recorded by the API may, is answered at the contact's present
   * address. A mail that was saved goes to whom it shows, also where somebody else has written since.
   */
  async of(
    organizationId: string,
    { conversation_id, contact_id }: Pick<Conversation, 'conversation_id' | 'contact_id'>,
    saved?: MailRecipients,
  ): Promise<Recipient> {
    const [contact, isOwn, mail, text] = await Promise.all([
      this.crm.contact(organizationId, contact_id),
      this.channels.ownAddress(organizationId),
      this.answered.mailSender(organizationId, conversation_id),
      this.answered.textSender(organizationId, conversation_id),
    ]);
    const present = { name: contact?.name || null, email: contact?.email || '' };
    const isOfOthers = (address: string) => address !== '' && !isOwn(address);
    const isShown =
      saved?.recipient_email && isOfOthers(saved.recipient_email) && tellsAddress(mail, contact_id);
    return {
      ...(isShown ? shown(saved) : this.ofMail(mail, contact_id, present, isOfOthers)),
      ...this.ofText(text, contact_id, contact?.phone_number || null),
    };
  }

  private ofMail(
    mail: MailSender | null,
    contactId: string,
    present: { name: string | null; email: string },
    isOfOthers: (address: string) => boolean,
  ): MailRecipients {
    const isContact = mail?.author.contact_id === contactId;
    const writer = {
      name: (isContact ? present.name : null) ?? (mail?.author.name || null),
      email: mail?.author.email ?? '',
    };
    const people = mail && isFrom(mail, contactId) ? [writer, present] : [present, writer];
    const asked = addressesIn(mail?.reply_to ?? '').filter(isOfOthers);
    const known = people.map(({ email }) => email).filter(isOfOthers);
    const recipient_emails = asked.length > 0 ? eachOnce(asked) : known.slice(0, 1);
    const [first = null] = recipient_emails;
    // An address of Reply-To may be of a site's form, or of a colleague: then no name here is theirs.
    const isNamed = ({ email }: typeof present) => first === null || addressKey(email) === addressKey(first);
    return {
      recipient_name: [present, writer].find(isNamed)?.name ?? null,
      recipient_email: first,
      recipient_emails,
    };
  }

  /** A name can only send; then there is nobody to answer, unless somebody has given the contact a number. */
  private ofText(
    text: TextSender | null,
    contactId: string,
    present: string | null,
  ): Pick<Recipient, 'recipient_phone_number' | 'text_addresses'> {
    const sender = text?.addresses;
    if (!sender) {
      const told = text?.author.phone_number ?? null;
      const isOther = text !== null && isFrom(text, contactId);
      return { recipient_phone_number: (isOther ? told : present) ?? present ?? told };
    }
    if (!canBeAnswered(sender.from)) return { recipient_phone_number: present };
    const service = serviceOf(sender.from);
    // A page of Messenger has no number, so it answers from where the text came to.
    const from = service !== null && service === serviceOf(sender.to) ? sender.to : null;
    return { recipient_phone_number: sender.from, text_addresses: { to: sender.from, from } };
  }
}

const shown = ({ recipient_name, recipient_email, recipient_emails }: MailRecipients): MailRecipients => ({
  recipient_name,
  recipient_email,
  recipient_emails,
});

const tellsAddress = (mail: MailSender | null, contactId: string): boolean =>
  mail !== null && (Boolean(mail.reply_to) || isFrom(mail, contactId));

/** Whether it came from an address of its own, and not from whatever address its contact has. */
const isFrom = ({ author, is_exact }: Sender, contactId: string): boolean =>
  is_exact || author.contact_id !== contactId;

const canBeAnswered = (address: string): boolean => serviceOf(address) !== null || /^\+?\d+$/.test(address);
