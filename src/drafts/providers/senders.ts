import type { Named } from '#kernel/named.js';
import { allStorable } from '#kernel/text.js';
import { Injectable } from '@nestjs/common';
import { PublicUrl } from '#http/public-url.js';
import type { Deadline } from '#kernel/deadline.js';
import { traced } from '#telemetry/trace.js';
import {
  type AnsweredMessage,
  AttachmentFiles,
  ReplyTokens,
} from '../../conversations/conversations.contract.js';
import { CrmQueries } from '../../crm/crm.contract.js';
import {
  Channels,
  Directory,
  type EmailChannel,
  type TextChannel,
} from '../../workspace/workspace.contract.js';
import { Spooled } from '#http/input/spool.js';
import { StoredFiles } from '../../files/files.contract.js';
import { UnsubscribeLinks } from '../../suppressions/suppressions.contract.js';
import { composeMail } from './compose-mail.js';
import type { Outcome } from '../delivery.js';
import type { Draft } from '../draft.js';
import { withInlineImages } from '../content/inline-images.js';
import { plainText } from '../content/plain-text.js';
import { SuppressedRecipients } from '../suppressed-recipients.js';
import { serviceOf } from '../text-service.js';
import { SmtpSender } from './smtp.js';
import { sendText } from './twilio.js';

/** Hands drafts to the provider of their channel. */
@Injectable()
export class Senders {
  constructor(
    private readonly channels: Channels,
    private readonly directory: Directory,
    private readonly crm: CrmQueries,
    private readonly smtp: SmtpSender,
    private readonly publicUrl: PublicUrl,
    private readonly tokens: ReplyTokens,
    private readonly suppressed: SuppressedRecipients,
    private readonly links: UnsubscribeLinks,
    private readonly files: StoredFiles,
    private readonly attachments: AttachmentFiles,
  ) {}

  /**
   * Makes one attempt. Never throws. The provider's answer is made storable, as it may hold anything. The deadline counts
   * from the claim: a process that was frozen since, or waited for the database, must not hand over a draft that another has
   * taken over.
   */
  async send(
    organizationId: string,
    draft: Draft,
    answered: AnsweredMessage | null,
    deadline: Deadline,
  ): Promise<Outcome> {
    const refused = await this.refused(organizationId, draft);
    return refused ?? allStorable(await this.handOver(organizationId, draft, answered, deadline));
  }

  /**
   * The outcome of a draft with a recipient who was suppressed since it was queued; null for any other, and for one that may
   * have left already: it is sent again under its Message-ID, to learn what became of it.
   */
  private async refused(organizationId: string, draft: Draft): Promise<Outcome | null> {
    if (draft.delivery.may_have_left) return null;
    try {
      const error = await this.suppressed.refusalOf(organizationId, draft);
      return error === null ? null : { kind: 'permanent', error };
    } catch (error) {
      return notMade(error);
    }
  }

  private async handOver(
    organizationId: string,
    draft: Draft,
    answered: AnsweredMessage | null,
    deadline: Deadline,
  ): Promise<Outcome> {
    const { modality } = draft;
    if (modality === 'email')
      return traced('provider smtp', { kind: 'client' }, () =>
        this.mail(organizationId, draft, answered, deadline),
      );
    if (modality === 'text')
      return traced('provider twilio', { kind: 'client' }, () => this.text(organizationId, draft, deadline));
    // A live chat is read from Parley, so becoming a message is its delivery.
    const agent = await this.directory.agentOrNone(organizationId, draft.agent_id);
    const from = { name: agent?.name ?? null, email: null, phone_number: null };
    return { kind: 'accepted', response: 'shown in the chat', rejected: [], deferred: [], from };
  }

  private async mail(
    organizationId: string,
    draft: Draft,
    answered: AnsweredMessage | null,
    deadline: Deadline,
  ): Promise<Outcome> {
    try {
      const channel = await this.channels.email(organizationId);
      if (!channel) return removed('e-mail');
      const agent = await this.directory.agentOrNone(organizationId, draft.agent_id);
      const sender = agent?.name ?? null;
      const mail = await composeMail(draft, channel, answered, {
        senderName: sender,
        signature: agent?.signature_html ?? null,
        replyTo: this.replyTo(organizationId, draft, channel),
        linkRoot: `${this.publicUrl.value}/l/`,
        unsubscribeUrl: this.unsubscribeUrl(organizationId, draft, channel),
        bytesOf: ({ sha256 }) => this.files.read(organizationId, sha256),
      });
      // Before the mail leaves: the message that it becomes has them as attachments.
      for (const { bytes } of withInlineImages(draft).images)
        await this.attachments.keepRaw(organizationId, Spooled.of(bytes));
      if (deadline.isOver) return TOO_LATE;
      const { name, address } = channel.from;
      const from = { name: name || sender, email: address, phone_number: null };
      return inTheNameOf(from, await this.smtp.send(channel, mail, deadline));
    } catch (error) {
      return notMade(error);
    }
  }

  /** The Reply-To address that names the conversation; null where none is used. A first mail has no conversation yet. */
  private replyTo(organizationId: string, draft: Draft, channel: EmailChannel): string | null {
    if (!channel.replyToken || draft.kind === 'message') return null;
    return this.tokens.addressFor(channel.from.address, organizationId, draft.conversation_id!);
  }

  /** Where the recipient of a first message can unsubscribe; null where the channel does not offer it. */
  private unsubscribeUrl(
    organizationId: string,
    { kind, recipient_email }: Draft,
    { listUnsubscribe }: EmailChannel,
  ): string | null {
    if (!listUnsubscribe || kind !== 'message') return null;
    return `${this.publicUrl.value}/u/${this.links.tokenFor({ organizationId, email: recipient_email! })}`;
  }

  /** Twilio wants both addresses of one service (`whatsapp:`), and numbers in E.164. */
  private async textAddresses(
    organizationId: string,
    { recipient_phone_number, text_addresses }: Draft,
    { fromNumber }: TextChannel,
  ): Promise<{ to: string; from: string }> {
    if (!text_addresses)
      return { to: await this.crm.dialled(organizationId, recipient_phone_number!), from: fromNumber };
    const { to, from } = text_addresses;
    const service = serviceOf(to);
    return { to, from: from ?? (service === null ? fromNumber : `${service}:${fromNumber}`) };
  }

  private async text(organizationId: string, draft: Draft, deadline: Deadline): Promise<Outcome> {
    try {
      const channel = await this.channels.text(organizationId);
      if (!channel) return removed('text');
      const addresses = await this.textAddresses(organizationId, draft, channel);
      const left = deadline.left();
      if (left <= 0) return TOO_LATE;
      const from = { name: null, email: null, phone_number: addresses.from };
      return inTheNameOf(from, await sendText(channel, addresses, plainText(draft, 'text'), left));
    } catch (error) {
      return notMade(error);
    }
  }
}

const inTheNameOf = (from: Named, outcome: Outcome): Outcome =>
  outcome.kind === 'accepted' ? { ...outcome, from } : outcome;

const TOO_LATE: Outcome = { kind: 'temporary', error: 'It was too late to hand it over.' };

const removed = (channel: string): Outcome => ({
  kind: 'permanent',
  error: `The ${channel} channel was removed.`,
});

/** An error before anything left: the senders themselves never throw. */
const notMade = (error: unknown): Outcome => ({
  kind: 'temporary',
  error: `It could not be made ready: ${(error as Error).message}`,
});
