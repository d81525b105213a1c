import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { appendTo } from '#event-store/append.js';
import type { Versioned } from '#event-store/change.js';
import { EventStore } from '#event-store/event-store.js';
import { decideAsExpected } from '#event-store/expectation.js';
import { notFound } from '#http/problems/problem.js';
import { atVersion } from '#http/versions/versioned.js';
import { shownTag } from './create-tag.js';
import { tag, type Tag } from './tag.js';
import { NAMES_LOCK, TagNames } from './tag-names.js';
import { TagSpread } from './tag-spread.js';
import type { TagResponse, UpdateTagBody } from './tags.dto.js';
import { tags } from './tags.projection.js';

/** Gives a tag another name or colour, on all records that have it. Refuses a name that another has (409). */
export class UpdateTag extends Command<TagResponse> {
  constructor(
    readonly context: Context,
    readonly tagId: string,
    readonly body: UpdateTagBody,
  ) {
    super();
  }
}

@CommandHandler(UpdateTag)
export class UpdateTagHandler implements ICommandHandler<UpdateTag> {
  constructor(
    private readonly store: EventStore,
    private readonly names: TagNames,
    private readonly spread: TagSpread,
  ) {}

  async execute({ context, tagId, body }: UpdateTag): Promise<TagResponse> {
    if (!isId('tag', tagId)) throw notFound('tag', tagId);
    const { organizationId } = context;
    const { name } = body;
    const keys = name === undefined ? [tagId] : [NAMES_LOCK, tagId];
    const { state, version } = await this.store.exclusively(
      organizationId,
      keys,
      async (tx): Promise<Versioned<Tag>> => {
        const current = await this.store.load(tx, organizationId, tags, tagId);
        const events = decideAsExpected(context, current, ({ state }) => {
          if (!state) throw notFound('tag', tagId);
          return tag.decide(state, { type: 'ChangeTag', changes: { ...body } });
        });
        if (events.length === 0) return current;
        if (name !== undefined) await this.names.requireFree(tx, organizationId, tagId, name);
        const state = events.reduce(tag.evolve, current.state);
        await this.spread.begin(tx, context, appendTo(tags, tagId, current, events), state);
        return { state, version: current.version + events.length };
      },
    );
    return atVersion(shownTag(state!), version);
  }
}
