import { Injectable } from '@nestjs/common';
import { systemContext } from '#kernel/context.js';
import { Channels } from '../workspace/workspace.contract.js';
import { MailDoor } from './mail.door.js';
import { MailTooLarge, MailUnreadable } from './mail-parser.js';
import { readMbox } from './mbox.js';

const LARGEST_MAIL = 25 * 1024 * 1024;

export interface MboxImport {
  organizationId: string;
  chunks: AsyncIterable<Buffer>;
  /** Addresses whose mails the organization has sent, beside that of its channel. */
  own: string[];
  onProgress: (done: ImportedMails) => void;
}

export interface ImportedMails {
  mails: number;
  created: number;
  /** Recorded before, which their Message-ID tells, or their bytes. */
  existing: number;
  /** And answers to notices: what makes no message. */
  bounces: number;
  /** Those that cannot be read, by their place in the file. */
  errors: { mail: number; detail: string }[];
}

/** Takes the mails of an mbox in, in the order of the file; a second run records none twice. */
@Injectable()
export class ImportMbox {
  constructor(
    private readonly door: MailDoor,
    private readonly channels: Channels,
  ) {}

  async run({ organizationId, chunks, own, onProgress }: MboxImport): Promise<ImportedMails> {
    const context = systemContext(organizationId);
    const channel = await this.channels.email(organizationId);
    const addresses = new Set(
      [...own, ...(channel ? [channel.from.address] : [])].map((one) => one.toLowerCase()),
    );
    const done: ImportedMails = { mails: 0, created: 0, existing: 0, bounces: 0, errors: [] };
    for await (const entry of readMbox(chunks, LARGEST_MAIL)) {
      done.mails++;
      try {
        if ('tooLarge' in entry)
          throw new MailTooLarge(`the mail has ${entry.tooLarge} bytes, which is too many`);
        const received = await this.door.receive(context, entry.raw, { own: addresses });
        if (received.kind === 'bounce' || received.kind === 'notice_reply') done.bounces++;
        else if (received.kind === 'auto_reply_loop')
          done.errors.push({
            mail: done.mails,
            detail: 'one of too many automatic replies within the last hour',
          });
        else if (received.created) done.created++;
        else done.existing++;
      } catch (error) {
        if (!(error instanceof MailTooLarge || error instanceof MailUnreadable)) throw error;
        done.errors.push({ mail: done.mails, detail: error.message });
      }
      onProgress(done);
    }
    return done;
  }
}
