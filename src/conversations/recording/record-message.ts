import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import type { Recorded } from './message-planner.js';
import type { MessageToRecord } from './message-to-record.js';
import { RecordBatch } from './record-batch.js';

/** Records a message that happened on any channel. Every way in ends here. A known `external_id` changes nothing. */
export class RecordMessage extends Command<Recorded> {
  constructor(
    readonly context: Context,
    readonly message: MessageToRecord,
  ) {
    super();
  }
}

@CommandHandler(RecordMessage)
export class RecordMessageHandler implements ICommandHandler<RecordMessage> {
  constructor(private readonly batch: RecordBatch) {}

  execute({ context, message }: RecordMessage): Promise<Recorded> {
    return this.batch.record(context, message);
  }
}
