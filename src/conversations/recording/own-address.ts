import { Injectable } from '@nestjs/common';
import { hostKey } from '#kernel/address.js';
import { Channels } from '../../workspace/workspace.contract.js';
import type { MessageToRecord } from './message-to-record.js';

type Addressed = Pick<
  MessageToRecord,
  'modality' | 'message_direction' | 'email_metadata' | 'to_emails' | 'arrived_as_copy'
>;

/** Knows the organization's own address, and so whether a mail came as a copy. */
@Injectable()
export class OwnAddress {
  constructor(private readonly channels: Channels) {}

  /** Marks the message as a copy if it is one. */
  async judged<Message extends Addressed>(organizationId: string, message: Message): Promise<Message> {
    const { modality, message_direction, to_emails } = message;
    if (modality !== 'email' || message_direction !== 'received') return message;
    if (to_emails === undefined && copiesOf(message).length === 0) return message;
    const own = await this.channels.mailbox(organizationId);
    if (own === null) return message;
    const isOwn = await this.channels.ownAddress(organizationId);
    return isCopy(message, own, isOwn) ? { ...message, arrived_as_copy: true } : message;
  }
}

const copiesOf = ({ email_metadata }: Addressed): string[] => [
  ...email_metadata.cc_emails,
  ...email_metadata.bcc_emails,
];

/** Whether our address is in cc or bcc, or in no header, and not in `to`. */
function isCopy(message: Addressed, own: string, isOwn: (address: string) => boolean): boolean {
  const { to_emails } = message;
  if (to_emails?.some(isOwn)) return false;
  return copiesOf(message).some(isOwn) || (to_emails !== undefined && isBlindCopy(to_emails, own));
}

/** Whether mail to these addresses came by bcc. If one is another address of our domain, that address passed the mail on. */
const isBlindCopy = (to: string[], own: string): boolean =>
  !to.some((address) => hostKey(domainOf(address)) === domainOf(own));

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
