import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { Database } from '#database/database.js';
import { MessagePlanner, type Recorded } from './message-planner.js';
import { MessageRecorder } from './message-recorder.js';
import type { MessageToRecord } from './message-to-record.js';
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
    private readonly planner: MessagePlanner,
    private readonly recorder: MessageRecorder,
    private readonly queue: RecordingQueue,
  ) {}

  async execute({ context, message }: RecordMessage): Promise<Recorded> {
    const prepared = await this.planner.prepare(context.organizationId, message);
    if (!this.database.inUnitOfWork) return this.queue.record({ ...prepared, context });
    const [recorded] = await this.recorder.recordAll(context, [prepared]);
    return recorded!;
  }
}
