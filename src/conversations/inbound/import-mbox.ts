import { Injectable } from '@nestjs/common';
import { type Context, systemContext } from '#kernel/context.js';
import { addressKey } from '#kernel/address.js';
import { newId } from '#kernel/id.js';
import { LARGEST_MAIL } from '#http/input/bodies.js';
import { Channels } from '../../workspace/workspace.contract.js';
import { MailReceiver, type ReadMail } from './mail-receiver.js';
import { MailTimedOut, MailTooLarge, MailUnreadable } from '#mail/mail-parser.js';
import { type MboxEntry, readMbox } from '#mail/mbox.js';
import { readAhead } from './import-read-ahead.js';
import { MessagePlanner, type PreparedMessage, type Recorded } from '../recording/message-planner.js';
import { RecordBatch } from '../recording/record-batch.js';
import { AutoReplyLoop } from '../recording/thread-finder.js';

const MIB = 1024 * 1024;
const AHEAD = { items: 64, bytes: 64 * MIB };
/** Messages that wait to be recorded at most, and characters of their contents at most: some write a megabyte. */
const MOST_WAITING = { messages: 128, characters: 16 * MIB };
/** Mails after which progress is told. */
const PROGRESS_EVERY = 64;

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
    const waiting = new Waiting((prepared) => this.batch.add(prepared));
    let mails = 0;
    const read = (entry: MboxEntry) => this.read(context, entry, ++mails, addresses);
    for await (const entry of readAhead(readMbox(chunks, LARGEST_MAIL), read, sizeOf, AHEAD)) {
      if ('prepared' in entry) {
        // Made in file order, not where mails are read ahead: ids tell which of two conversations was opened first.
        const ids = { message_id: newId('msg'), conversation_id: newId('conv') };
        await waiting.add({ ...entry.prepared, ids }, (outcome) => {
          count(done, entry.nr, outcome);
          if (done.mails % PROGRESS_EVERY === 0) onProgress(done);
        });
        continue;
      }
      done.mails++;
      if ('detail' in entry) {
        done.errors.push({ mail: entry.nr, detail: entry.detail });
        continue;
      }
      done.bounces++;
      // The mail that a bounce is about may still be waiting.
      await waiting.settled();
      await this.door.take(context, entry.mail);
    }
    await waiting.settled();
    onProgress(done);
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
      const mail = await this.readTwice(context.organizationId, entry.raw, { own });
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
}

/** What became of a message: how it was recorded, or why not. */
type Outcome = { recorded: Recorded } | { refused: unknown };

/** The messages that wait to be recorded, in the order of their file. */
class Waiting {
  private readonly recordings = new Set<Promise<void>>();
  private characters = 0;
  private failure: { error: unknown } | null = null;

  constructor(private readonly record: (prepared: PreparedMessage) => Promise<Recorded>) {}

  /** Resolves when there is room for another message. Throws what `told` threw about any of them. */
  async add(prepared: PreparedMessage, told: (outcome: Outcome) => void): Promise<void> {
    const size = prepared.message.content.length;
    this.characters += size;
    const recording = this.record(prepared)
      .then(
        (recorded) => told({ recorded }),
        (refused: unknown) => told({ refused }),
      )
      .catch((error: unknown) => void (this.failure ??= { error }))
      .finally(() => {
        this.characters -= size;
        this.recordings.delete(recording);
      });
    this.recordings.add(recording);
    while (this.recordings.size >= MOST_WAITING.messages || this.characters >= MOST_WAITING.characters)
      await Promise.race(this.recordings);
    this.complain();
  }

  /** Resolves when none waits. */
  async settled(): Promise<void> {
    await Promise.all(this.recordings);
    this.complain();
  }

  private complain(): void {
    if (this.failure) throw this.failure.error;
  }
}

function count(done: ImportedMails, nr: number, outcome: Outcome): void {
  if ('refused' in outcome && !(outcome.refused instanceof AutoReplyLoop)) throw outcome.refused;
  done.mails++;
  if ('refused' in outcome)
    done.errors.push({ mail: nr, detail: 'one of too many automatic replies within the last hour' });
  else if (outcome.recorded.created) done.created++;
  else done.existing++;
}

const sizeOf = (entry: MboxEntry): number => ('raw' in entry ? entry.raw.length : 0);
