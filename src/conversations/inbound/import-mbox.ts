import { Injectable } from '@nestjs/common';
import { type Context, systemContext } from '#kernel/context.js';
import { addressKey } from '#kernel/address.js';
import { newId } from '#kernel/id.js';
import { LARGEST_MAIL } from '#http/input/bodies.js';
import { Spooled } from '#http/input/spool.js';
import { Channels } from '../../workspace/workspace.contract.js';
import { MailReceiver, type ReadMail } from './mail-receiver.js';
import { MailTimedOut, MailTooLarge, MailUnreadable } from '#mail/mail-parser.js';
import { Backlog, type Waiting } from './import-backlog.js';
import { type MboxEntry, readMbox } from '#mail/mbox.js';
import { readAhead } from './import-read-ahead.js';
import { MessagePlanner, type PreparedMessage } from '../recording/message-planner.js';
import { type Outcome, RecordBatch } from '../recording/record-batch.js';
import { AutoReplyLoop } from '../recording/thread-finder.js';

const MIB = 1024 * 1024;
const AHEAD = { items: 64, bytes: 64 * MIB };

export interface MboxImport {
  organizationId: string;
  chunks: AsyncIterable<Buffer>;
  /** Addresses that the organization has sent from, beside its channel's. */
  own: string[];
  onProgress: (done: ImportedMails) => void;
}

export interface ImportedMails {
  mails: number;
  created: number;
  /** Recorded before, by Message-ID or by bytes. */
  existing: number;
  /** Bounces, and answers to notices: neither becomes a message. */
  bounces: number;
  /** Mails that cannot be read, by their place in the file. */
  errors: { mail: number; detail: string }[];
}

/** What was read of an entry: a message ready to record, another mail, or why there is none. */
type Entry =
  { nr: number; prepared: PreparedMessage } | { nr: number; mail: ReadMail } | { nr: number; detail: string };

/**
 * Imports an mbox with the same result as if its mails had come one by one in the order of the file. A second run records
 * none twice.
 */
@Injectable()
export class ImportMbox {
  constructor(
    private readonly door: MailReceiver,
    private readonly channels: Channels,
    private readonly planner: MessagePlanner,
    private readonly batch: RecordBatch,
  ) {}

  async run({ organizationId, chunks, own, onProgress }: MboxImport): Promise<ImportedMails> {
    const context = systemContext(organizationId);
    const channel = await this.channels.email(organizationId);
    const addresses = new Set([...own, ...(channel ? [channel.from.address] : [])].map(addressKey));
    const done: ImportedMails = { mails: 0, created: 0, existing: 0, bounces: 0, errors: [] };
    const backlog = new Backlog();
    const recordUntil = async (isEnough: () => boolean) => {
      while (!isEnough()) {
        await this.recordSome(organizationId, backlog, done);
        onProgress(done);
      }
    };
    let mails = 0;
    const read = (entry: MboxEntry) => this.read(context, entry, ++mails, addresses);
    for await (const entry of readAhead(readMbox(chunks, LARGEST_MAIL), read, sizeOf, AHEAD)) {
      if ('prepared' in entry) {
        // Made in file order, not where mails are read ahead: ids tell which of two conversations was opened first.
        const ids = { message_id: newId('msg'), conversation_id: newId('conv') };
        backlog.add({ nr: entry.nr, prepared: { ...entry.prepared, ids } });
        await recordUntil(() => !backlog.isFull);
        continue;
      }
      done.mails++;
      if ('detail' in entry) {
        done.errors.push({ mail: entry.nr, detail: entry.detail });
        continue;
      }
      done.bounces++;
      // The mail that a bounce is about may still be waiting.
      await recordUntil(() => backlog.isEmpty);
      await this.door.take(context, entry.mail);
    }
    await recordUntil(() => backlog.isEmpty);
    done.errors.sort((one, other) => one.mail - other.mail);
    return done;
  }

  private async read(
    context: Context,
    entry: MboxEntry,
    nr: number,
    own: ReadonlySet<string>,
  ): Promise<Entry> {
    try {
      if ('tooLarge' in entry)
        throw new MailTooLarge(`the mail has ${entry.tooLarge} bytes, which is too many`);
      const mail = await this.readTwice(context.organizationId, Spooled.of(entry.raw), { own });
      if (mail.kind !== 'message') return { nr, mail };
      return { nr, prepared: await this.planner.prepare(context, mail.message) };
    } catch (error) {
      if (!(error instanceof MailTooLarge || error instanceof MailUnreadable)) throw error;
      return { nr, detail: error.message };
    }
  }

  /** Nobody sends a mail of a file again: what took too long is read again at once. */
  private async readTwice(...mail: Parameters<MailReceiver['read']>): Promise<ReadMail> {
    try {
      return await this.door.read(...mail);
    } catch (error) {
      if (!(error instanceof MailTimedOut)) throw error;
      return this.door.read(...mail);
    }
  }

  /** One transaction's share of the backlog. */
  private async recordSome(organizationId: string, backlog: Backlog, done: ImportedMails): Promise<void> {
    const share = backlog.next();
    const outcomes = await this.batch.recordInOrder(
      organizationId,
      share.map(({ prepared }) => prepared),
    );
    backlog.done(new Set(share.filter((_, index) => !('again' in outcomes[index]!))));
    share.forEach((one, index) => count(done, one, outcomes[index]!));
  }
}

function count(done: ImportedMails, { nr }: Waiting, outcome: Outcome): void {
  if ('again' in outcome) return;
  if ('refused' in outcome && !(outcome.refused instanceof AutoReplyLoop)) throw outcome.refused;
  done.mails++;
  if ('refused' in outcome)
    done.errors.push({ mail: nr, detail: 'one of too many automatic replies within the last hour' });
  else if (outcome.recorded.created) done.created++;
  else done.existing++;
}

const sizeOf = (entry: MboxEntry): number => ('raw' in entry ? entry.raw.length : 0);
