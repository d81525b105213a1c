import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { Database } from '#database/database.js';
import { MessageRecorder, type MessageToRecord, type Recorded } from './message-recorder.js';
import { RecordingQueue } from './recording-queue.js';

/** Records a message that happened on any channel. Every door ends here. A known `external_id` changes nothing. */
export class RecordMessage {
  constructor(
    readonly context: Context,
    readonly message: MessageToRecord,
  ) {}
}

@CommandHandler(RecordMessage)
export class RecordMessageHandler implements ICommandHandler<RecordMessage, Recorded> {
  constructor(
    private readonly database: Database,
    private readonly recorder: MessageRecorder,
    private readonly queue: RecordingQueue,
  ) {}

  async execute({ context, message }: RecordMessage): Promise<Recorded> {
    const prepared = await this.recorder.prepare(context.organizationId, message);
    if (!this.database.inUnitOfWork) return this.queue.record({ ...prepared, context });
    const [recorded] = await this.recorder.recordAll(context, [prepared]);
    return recorded!;
  }
}
