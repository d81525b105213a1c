import { Injectable } from '@nestjs/common';
import { addressesIn, hostKey } from '#kernel/address.js';
import { Channels } from '../../workspace/workspace.contract.js';
import type { MessageToRecord } from './message-to-record.js';

type Addressed = Pick<
  MessageToRecord,
  'modality' | 'message_direction' | 'email_metadata' | 'to_emails' | 'arrived_as_copy'
>;

/**
 * Knows the organization's own address: tells whether a mail came as a copy and whether it wants replies sent to ourselves.
 */
@Injectable()
export class OwnAddress {
  constructor(private readonly channels: Channels) {}

  /** Marks the message as a copy if it is one, and drops a `reply_to` that names nobody but ourselves. */
  async judged<Message extends Addressed>(organizationId: string, message: Message): Promise<Message> {
    const { modality, message_direction, email_metadata, to_emails } = message;
    const { reply_to, reply_to_other_domain: _, ...metadata } = email_metadata;
    if (modality !== 'email' || message_direction !== 'received') return message;
    if (to_emails === undefined && copiesOf(message).length === 0 && reply_to === undefined) return message;
    const own = await this.channels.mailbox(organizationId);
    if (own === null) return message;
    const isOwn = await this.channels.ownAddress(organizationId);
    return {
      ...message,
      ...(reply_to !== undefined && addressesIn(reply_to).every(isOwn) && { email_metadata: metadata }),
      ...(isCopy(message, own, isOwn) && { arrived_as_copy: true }),
    };
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
