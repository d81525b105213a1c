import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { notFound } from '#http/problems/problem.js';
import { tag } from './tag.js';
import { TagSpread } from './tag-spread.js';
import { tags } from './tags.projection.js';

/** Deletes a tag; no record has it any more. */
export class DeleteTag extends Command<void> {
  constructor(
    readonly context: Context,
    readonly tagId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteTag)
export class DeleteTagHandler implements ICommandHandler<DeleteTag> {
  constructor(
    private readonly store: EventStore,
    private readonly spread: TagSpread,
  ) {}

  async execute({ context, tagId }: DeleteTag): Promise<void> {
    if (!isId('tag', tagId)) throw notFound('tag', tagId);
    const { organizationId } = context;
    await this.store.exclusively(organizationId, [tagId], async (tx) => {
      const current = await this.store.load(tx, organizationId, tags, tagId);
      if (!current.state) throw notFound('tag', tagId);
      const events = tag.decide(current.state, { type: 'DeleteTag' });
      await this.spread.begin(tx, context, appendTo(tags, tagId, current, events), null);
    });
  }
}
