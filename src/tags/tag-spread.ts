import { Injectable } from '@nestjs/common';
import type { Context } from '#kernel/context.js';
import type { RecordTag, TagsChange } from '#kernel/tags.js';
import type { Transaction } from '#database/statements/statement.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import type { Tag } from './tag.js';
import { type AnyCarrier, TagCarriers } from './tag-carriers.js';
import { TagSpreadQueries } from './tag-spread.queries.js';
import { tags } from './tags.projection.js';
import { TagQueries } from './tags.queries.js';

/** Records changed in one transaction: each takes a lock, and the whole database shares the room for locks. */
const MOST = 1_000;

const BEGINNING = '';

/** Appends to records, and the last of those they are to; `after` is null when there are no more. */
interface Step {
  appends: Append[];
  after: string | null;
}

/**
 * Tells records of a tag that was changed or deleted. They show it as it is in any case; being told, they have changed themselves, as
 * whoever keeps a copy of them needs to know. Up to `MOST` are told with the tag's own event, the others in steps by whoever works,
 * which goes on from the row in `tag_spread` after any end.
 */
@Injectable()
export class TagSpread {
  constructor(
    private readonly store: EventStore,
    private readonly carriers: TagCarriers,
    private readonly queries: TagQueries,
    private readonly spreads: TagSpreadQueries,
  ) {}

  /** Appends the tag's own event, and those of the first records. The tag's lock is held. */
  async begin(tx: Transaction, context: Context, own: Append, state: Tag | null): Promise<void> {
    const step = await this.step(tx, context.organizationId, own.id, state, BEGINNING);
    await this.write(tx, context, own.id, { ...step, appends: [own, ...step.appends] });
  }

  /** Tells up to `MOST` further records; false when there are none left. */
  goOn(organizationId: string, tagId: string): Promise<boolean> {
    return this.store.exclusively(organizationId, [tagId], async (tx) => {
      const spread = await this.spreads.of(tx, organizationId, tagId);
      if (!spread) return false;
      const { state } = await this.store.load(tx, organizationId, tags, tagId);
      const step = await this.step(tx, organizationId, tagId, state, spread.after_id);
      await this.write(tx, { ...spread.author, organizationId }, tagId, step);
      return step.after !== null;
    });
  }

  private async write(
    tx: Transaction,
    context: Context,
    tagId: string,
    { appends, after }: Step,
  ): Promise<void> {
    const { organizationId, actor, requestId, traceparent, keyId } = context;
    if (appends.length > 0) await this.store.appendIn(tx, context, appends);
    const author = { actor, requestId, traceparent, keyId };
    await this.spreads.note(tx, organizationId, tagId, after === null ? null : { author, after_id: after });
  }

  /** The next records after this one. Of a deleted tag it is always the first ones: the others have it no more. */
  private async step(
    tx: Transaction,
    organizationId: string,
    tagId: string,
    tag: Tag | null,
    after: string,
  ): Promise<Step> {
    const appends: Append[] = [];
    let last = tag === null ? BEGINNING : after;
    for (const carrier of this.carriers.all()) {
      const room = MOST - appends.length;
      const ids = await this.held(tx, organizationId, carrier, tagId, last, room);
      const states = await this.store.loadAll(tx, organizationId, carrier.aggregate, ids.slice(0, room));
      for (const [id, current] of states) {
        const known = current.state?.tags.find(({ tag_id }) => tag_id === tagId);
        if (!known) continue;
        const told = { type: carrier.event, data: toldOf(known, tag) };
        appends.push(appendTo(carrier.aggregate, id, current, [told]));
      }
      if (tag !== null) last = ids.slice(0, room).at(-1) ?? last;
      if (ids.length > room) return { appends, after: last };
    }
    return { appends, after: null };
  }

  /**
   * The next records of a kind that have the tag, one more than there is room for, those for which there is room held. Looked for
   * again under their locks: one of them may have been merged into another meanwhile, which has the tag since.
   */
  private async held(
    tx: Transaction,
    organizationId: string,
    carrier: AnyCarrier,
    tagId: string,
    after: string,
    room: number,
  ): Promise<string[]> {
    const held = new Set<string>();
    for (;;) {
      const ids = await this.queries.carriers(tx, organizationId, carrier, tagId, { after, limit: room + 1 });
      const others = ids.slice(0, room).filter((id) => !held.has(id));
      if (others.length === 0) return ids;
      this.store.lock(tx, organizationId, others);
      for (const id of others) held.add(id);
    }
  }
}

/** What a record is told of a tag that it has: what it is now, or that it is gone. */
const toldOf = (known: RecordTag, tag: Tag | null): TagsChange =>
  tag === null
    ? { added: [], removed: [known] }
    : { added: [], removed: [], changed: [{ tag_id: tag.tag_id, name: tag.name, colour: tag.colour }] };
