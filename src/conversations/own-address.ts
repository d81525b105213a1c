import { Injectable } from '@nestjs/common';
import { Channels, mailboxesOf, mailboxOf } from '../workspace/workspace.contract.js';
import type { RecordedMessage } from './message.js';

type Addressed = Omit<RecordedMessage, 'message_id' | 'sent_at'> & { to_emails?: string[] };

/**
 * Knows the organization's own address: tells whether a mail came as a copy and whether it wants replies sent to ourselves.
 */
@Injectable()
export class OwnAddress {
  constructor(private readonly channels: Channels) {}

  /** Marks the message as a copy if it is one, and drops a `reply_to` that would bring our reply back to us. */
  async judged<Message extends Addressed>(organizationId: string, message: Message): Promise<Message> {
    const { modality, message_direction, email_metadata, to_emails } = message;
    const { reply_to, ...metadata } = email_metadata;
    if (modality !== 'email' || message_direction !== 'received') return message;
    if (to_emails === undefined && copiesOf(message).length === 0 && reply_to === undefined) return message;
    const channel = await this.channels.email(organizationId);
    if (!channel) return message;
    const own = mailboxOf(channel.from.address);
    return {
      ...message,
      ...(reply_to !== undefined && names(own, reply_to) && { email_metadata: metadata }),
      ...(isCopy(message, own) && { arrived_as_copy: true }),
    };
  }
}

const copiesOf = ({ email_metadata }: Addressed): string[] => [
  ...email_metadata.cc_emails,
  ...email_metadata.bcc_emails,
];

const names = (own: string, address: string): boolean => mailboxesOf(address).includes(own);

/** Whether our address is in cc or bcc, or in no header, and not in `to`. */
function isCopy(message: Addressed, own: string): boolean {
  const { to_emails } = message;
  if (to_emails?.some((address) => names(own, address))) return false;
  const isNamed = copiesOf(message).some((address) => names(own, address));
  return isNamed || (to_emails !== undefined && isBlindCopy(to_emails, own));
}

/** Whether mail to these addresses came by bcc. If one is another address of our domain, that address passed the mail on. */
const isBlindCopy = (to: string[], own: string): boolean =>
  !to.some((address) => mailboxOf(address).endsWith(own.slice(own.lastIndexOf('@'))));
