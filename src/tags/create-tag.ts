import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { inOrder } from '#kernel/in-order.js';
import { now } from '#kernel/instant.js';
import { appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { atVersion } from '#http/versions/versioned.js';
import { tag, type Tag, TAG_FIELDS } from './tag.js';
import { TagNames } from './tag-names.js';
import type { CreateTagBody, TagResponse } from './tags.dto.js';
import { tags } from './tags.projection.js';

/** Creates a tag. Refuses a name that another has, and more tags than an organization may have (409). */
export class CreateTag extends Command<TagResponse> {
  constructor(
    readonly context: Context,
    readonly body: CreateTagBody,
  ) {
    super();
  }
}

@CommandHandler(CreateTag)
export class CreateTagHandler implements ICommandHandler<CreateTag> {
  constructor(
    private readonly store: EventStore,
    private readonly names: TagNames,
  ) {}

  async execute({ context, body: { name, colour = null } }: CreateTag): Promise<TagResponse> {
    const tag_id = newId('tag');
    const events = tag.decide(null, { type: 'CreateTag', tag_id, name, colour, created_at: now() });
    const guard = this.names.newName(context.organizationId, name);
    const [created] = await this.store.append(context, [appendTo(tags, tag_id, NEW, events)], guard);
    return atVersion(shownTag(created!.state as Tag), created!.version);
  }
}

/** The tag as the contract shows it. */
export const shownTag = (state: Tag): TagResponse => inOrder(state, TAG_FIELDS);
