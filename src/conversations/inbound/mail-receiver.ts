import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { parseInstant } from '#kernel/instant.js';
import { addressKey } from '#kernel/address.js';
import { type Config, CONFIG } from '../../config/config.js';
import { LARGEST_MAIL } from '#http/input/bodies.js';
import { LONG } from '#http/input/fields.js';
import { Suppressions } from '../../suppressions/suppressions.contract.js';
import { Channels } from '../../workspace/workspace.contract.js';
import { AttachmentFiles } from '../attachments/attachment-files.js';
import type { MessageResponse } from '../conversations.dto.js';
import { inbound, NAMELESS_PERSON, unknownParty } from './inbound-message.js';
import { type Authentication, authenticationBy } from '#mail/mail-authentication.js';
import { cut } from '#kernel/text.js';
import { type Complaint, type IncomingMail, type Mailbox } from '#mail/mail.js';
import { MailParser } from '#mail/mail-parser.js';
import type { Spooled } from '#http/input/spool.js';
import { ReadingRoom } from './reading-room.js';
import { type Attachment, mailExternalId } from '../message.js';
import { newContent } from '#mail/quotes/new-content.js';
import { noticeIdsIn } from '../notice-mail.js';
import { AutoReplyLoop } from '../recording/thread-finder.js';
import type { RecordedBounce } from '../bounces/bounces.queries.js';
import { RecordBounce } from '../bounces/record-bounce.js';
import { RecordComplaint } from '../bounces/record-complaint.js';
import { ReplyTokens } from '../reply-token.js';
import { MessageExtensions } from '../message-extensions.js';
import type { Addition } from '../recording/message-planner.js';
import type { MessageToRecord } from '../recording/message-to-record.js';
import { coAuthorsOf, type IsOwn, isRewritten, replyToOf, writerOf } from './mail-parties.js';
import { RecordMessage } from '../recording/record-batch.js';

/**
 * What became of a mail: a message (new, or recorded before), or something that makes none: a bounce, one of a loop of
 * automatic replies, a mail about a notice, or a mail of ours that is still being sent.
 */
export type Received =
  | { kind: 'message'; message: MessageResponse; created: boolean }
  | ({ kind: 'bounce' } & RecordedBounce)
  | { kind: 'auto_reply_loop' }
  | { kind: 'own_mail' }
  | { kind: 'notice_reply' };

/** A mail, read as what is to be recorded. */
export type ReadMail =
  | { kind: 'message'; message: MessageToRecord; complaint: Complaint | null }
  | { kind: 'bounce'; report: RecordBounce['report'] }
  | { kind: 'notice_reply' };

/** What is known of a mail beside its bytes. */
export interface Envelope {
  /** Whom it was handed to; its headers may not say so. */
  recipients?: string[];
  /** Addresses of the organization, by their keys (`addressKey`): mail from one of them counts as sent, any other as received. */
  own?: ReadonlySet<string>;
}

/** Receives raw mail from any way in. */
@Injectable()
export class MailReceiver implements OnApplicationShutdown {
  private readonly parser = new MailParser({ maxBytes: LARGEST_MAIL });
  private readonly room = new ReadingRoom();

  constructor(
    private readonly commands: CommandBus,
    private readonly files: AttachmentFiles,
    private readonly tokens: ReplyTokens,
    private readonly extensions: MessageExtensions,
    private readonly channels: Channels,
    private readonly suppressions: Suppressions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.parser.close();
  }

  /**
   * Throws `MailTooLarge` or `MailUnreadable` for a mail that cannot be read; sending it again will not help. Throws
   * `MailTimedOut` or `NoTurn` when it may.
   */
  async receive(context: Context, raw: Spooled, envelope?: Envelope): Promise<Received> {
    return this.room.whileReading(raw.size, async () =>
      this.take(context, await this.read(context.organizationId, raw, envelope)),
    );
  }

  /** The first half of `receive`, without its turn: stores the files and records nothing. */
  async read(
    organizationId: string,
    raw: Spooled,
    { recipients = [], own }: Envelope = {},
  ): Promise<ReadMail> {
    const mail = await this.parser.parse(raw);
    const external_id = externalId(mail, raw);
    if (mail.bounce) {
      const { originalMessageId: original_message_id, recipients } = mail.bounce;
      return { kind: 'bounce', report: { external_id, original_message_id, recipients } };
    }
    if (await this.isAboutNotice(organizationId, mail)) return { kind: 'notice_reply' };
    const attachments = await this.files.keep(organizationId, mail.attachments);
    const kept = await this.files.keepRaw(organizationId, raw);
    const addressed_conversation_id = this.tokens.conversationIn(
      [...recipients, ...mail.to, ...mail.cc, ...mail.deliveredTo],
      organizationId,
    );
    const isOwn = await this.channels.ownAddress(organizationId);
    const message = {
      ...messageOf(mail, isOwn, external_id, attachments, this.authentication(mail)),
      raw: kept,
      addressed_conversation_id,
    };
    const isSent = own?.has(addressKey(mail.from?.address ?? '')) && !isRewritten(mail, isOwn);
    return { kind: 'message', message: isSent ? sent(mail, message) : message, complaint: mail.complaint };
  }

  /** The second half of `receive`. */
  async take(context: Context, mail: ReadMail): Promise<Received> {
    if (mail.kind === 'notice_reply') return mail;
    if (mail.kind === 'bounce') {
      const recorded = await this.commands.execute(new RecordBounce(context, mail.report));
      return { kind: 'bounce', ...recorded };
    }
    if (mail.complaint) await this.commands.execute(new RecordComplaint(context, mail.complaint));
    const { email_message_id } = mail.message.email_metadata;
    if (
      email_message_id !== null &&
      (await this.extensions.leaving.ask(context.organizationId, email_message_id)).length > 0
    )
      return { kind: 'own_mail' };
    try {
      const recorded = await this.commands.execute(
        new RecordMessage(context, mail.message, this.lifting(context, mail.message)),
      );
      return { kind: 'message', ...recorded };
    } catch (error) {
      if (error instanceof AutoReplyLoop) return { kind: 'auto_reply_loop' };
      throw error;
    }
  }

  /** Whoever writes to us can be written to, whatever a server once said of their address. */
  private lifting({ organizationId }: Context, message: MessageToRecord): Addition | undefined {
    const { from, co_authors = [], message_direction, is_auto_reply } = message;
    if (message_direction !== 'received' || is_auto_reply) return undefined;
    const emails = [from, ...co_authors].flatMap((author) => author?.email || []);
    return (_, tx) => this.suppressions.liftingBounces(tx, organizationId, emails);
  }

  private authentication({ authenticationResults }: IncomingMail): Authentication | undefined {
    const { inboundAuthservId } = this.config;
    return inboundAuthservId === '' ? undefined : authenticationBy(inboundAuthservId, authenticationResults);
  }

  /** Whether this is our own notice to the organization's people, come back by a door, or an answer to one. */
  private async isAboutNotice(
    organizationId: string,
    { messageId, inReplyTo, references }: IncomingMail,
  ): Promise<boolean> {
    const ids = noticeIdsIn([messageId ?? '', ...inReplyTo, ...references]);
    return ids.length > 0 && (await this.extensions.noticed.ask(organizationId, ids)).length > 0;
  }
}

/** The Message-ID makes a redelivered mail recognisable; without one, its bytes do. */
const externalId = ({ messageId }: IncomingMail, { sha256 }: Spooled): string =>
  messageId === null ? `mail:${sha256}` : mailExternalId(messageId);

const named = ({ name, address: email }: Mailbox) => ({ name, email, phone_number: null });

const NOBODY: Mailbox = { name: 'Unknown sender', address: '' };

function messageOf(
  mail: IncomingMail,
  isOwn: IsOwn,
  external_id: string,
  attachments: Attachment[],
  authentication?: Authentication,
): MessageToRecord {
  // If content could be longer than the API accepts, a page of messages would be too large to answer with.
  const content = cut(mail.text, LONG);
  const writer = writerOf(mail, isOwn);
  const { name, address } = writer ?? NOBODY;
  return inbound({
    party: { ...unknownParty(name ?? ''), email: address },
    from: writer ? named(writer) : NAMELESS_PERSON,
    co_authors: coAuthorsOf(mail, isOwn).map(named),
    to: mail.addressed.to.map(named),
    cc: mail.addressed.cc.map(({ name, address: email }) => ({ name, email })),
    modality: 'email',
    body_html: mail.html,
    subject: mail.subject,
    content,
    new_content: newContent(content),
    to_emails: mail.to,
    sent_at: mail.sentAt && parseInstant(mail.sentAt),
    dated: mail.isDated ? 'by its sender' : 'by nobody',
    email_metadata: {
      email_message_id: mail.messageId,
      in_reply_to: mail.inReplyTo,
      references: mail.references,
      cc_emails: mail.cc,
      bcc_emails: mail.bcc,
      ...replyToOf(mail, isOwn),
      ...(authentication && { authentication }),
    },
    external_id,
    is_auto_reply: mail.isAutoReply,
    attachments,
  });
}

/** The same message as one that the organization sent to the first recipient. */
function sent({ to, cc, bcc }: IncomingMail, message: MessageToRecord): MessageToRecord {
  const [recipient] = [...to, ...cc, ...bcc];
  const party =
    recipient === undefined ? unknownParty('Unknown recipient') : { ...unknownParty(''), email: recipient };
  return { ...message, message_direction: 'sent', party };
}
