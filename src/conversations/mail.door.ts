import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { parseInstant } from '#kernel/instant.js';
import { LONG } from '#http/fields.js';
import type { MessageResponse } from './conversations.dto.js';
import { storable, type IncomingMail } from './mail.js';
import { MailParser } from './mail-parser.js';
import { RecordBounce, type RecordedBounce } from './record-bounce.js';
import { type MessageToRecord, type Party, type Recorded, RecordMessage } from './record-message.js';

/** What became of a mail: a message (new, or recorded before), or a bounce, which makes none. */
export type Received =
  { kind: 'message'; message: MessageResponse; created: boolean } | ({ kind: 'bounce' } & RecordedBounce);

/** Takes raw mail in, whichever way it came. */
@Injectable()
export class MailDoor implements OnApplicationShutdown {
  private readonly parser = new MailParser();

  constructor(private readonly commands: CommandBus) {}

  async onApplicationShutdown(): Promise<void> {
    await this.parser.close();
  }

  /** Throws `MailTooLarge` or `MailUnreadable` for what cannot be read; sending it again will not help. */
  async receive(context: Context, raw: Buffer): Promise<Received> {
    const mail = await this.parser.parse(raw);
    const external_id = externalId(mail, raw);
    if (mail.bounce) {
      const { originalMessageId: original_message_id, recipients } = mail.bounce;
      const report = { external_id, original_message_id, recipients };
      const recorded = await this.commands.execute<RecordBounce, RecordedBounce>(
        new RecordBounce(context, report),
      );
      return { kind: 'bounce', ...recorded };
    }
    const recorded = await this.commands.execute<RecordMessage, Recorded>(
      new RecordMessage(context, messageOf(mail, external_id)),
    );
    return { kind: 'message', ...recorded };
  }
}

/** The Message-ID makes a redelivered mail recognisable; without one, its bytes do. */
const externalId = ({ messageId }: IncomingMail, raw: Buffer): string =>
  messageId === null ? `mail:${createHash('sha256').update(raw).digest('hex')}` : `email:${messageId}`;

const messageOf = (mail: IncomingMail, external_id: string): MessageToRecord => ({
  party: partyOf(mail),
  conversation_id: null,
  folder: undefined,
  agent_id: null,
  modality: 'email',
  message_direction: 'received',
  is_form_request: false,
  subject: mail.subject,
  content: cut(mail.text),
  body_html: null,
  call_transcript: null,
  form_request_body: null,
  sent_at: mail.sentAt && parseInstant(mail.sentAt),
  drafted_at: null,
  email_metadata: {
    email_message_id: mail.messageId,
    in_reply_to: mail.inReplyTo,
    references: mail.references,
    cc_emails: mail.cc,
    bcc_emails: mail.bcc,
  },
  call_metadata: { duration: null },
  external_id,
  is_auto_reply: mail.isAutoReply,
});

/** As much of a text as the API takes: a page of messages many times as long could not be answered any more. */
const cut = (text: string): string => (text.length > LONG ? storable(text.slice(0, LONG)) : text);

function partyOf({ from }: IncomingMail): Party {
  if (!from) return { name: 'Unknown sender', email: '', phone_number: '' };
  return { name: from.name ?? '', email: from.address, phone_number: '' };
}
