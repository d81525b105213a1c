import { Injectable } from '@nestjs/common';
import { Channels, mailboxesOf } from '../workspace/workspace.contract.js';
import type { RecordedMessage } from './message.js';

type Addressed = Omit<RecordedMessage, 'message_id' | 'sent_at'> & { to_emails?: string[] };

/** Marks mails that reached the organization only as a copy: its address is among cc or bcc, or unseen, and not among `to`. */
@Injectable()
export class CopyMark {
  constructor(private readonly channels: Channels) {}

  async marked<Message extends Addressed>(organizationId: string, message: Message): Promise<Message> {
    const { modality, message_direction, email_metadata, to_emails } = message;
    const copies = [...email_metadata.cc_emails, ...email_metadata.bcc_emails];
    if (modality !== 'email' || message_direction !== 'received') return message;
    if (to_emails === undefined && copies.length === 0) return message;
    const own = (await this.channels.email(organizationId))?.from.address.toLowerCase();
    if (own === undefined || to_emails?.some((address) => mailboxesOf(address).includes(own))) return message;
    const named = copies.some((address) => mailboxesOf(address).includes(own));
    return named || (to_emails && isBlindCopy(to_emails, own))
      ? { ...message, arrived_as_copy: true }
      : message;
  }
}

/** Whether mail to these came by bcc. Mail to another address of our domain did not: it was passed on from there. */
const isBlindCopy = (to: string[], own: string): boolean =>
  !to.some((address) => address.toLowerCase().endsWith(own.slice(own.lastIndexOf('@'))));
