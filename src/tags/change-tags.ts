import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { MOST_TAGS, type RecordTag, type TagsChange, tagsChange } from '#kernel/tags.js';
import { appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { decideAsExpected } from '#event-store/expectation.js';
import { type FieldProblem, invalid, Problem } from '#http/problems/problem.js';
import { type CarrierKind, TagCarriers } from './tag-carriers.js';
import type { ChangeTagsBody } from './tags.dto.js';
import { TagQueries } from './tags.queries.js';

/**
 * Gives a record tags and takes others away. What is there already, or is not, changes nothing. Refuses tags that are not there or
 * in both lists (400), and more tags than a record may have (409).
 */
export class ChangeTags extends Command<void> {
  constructor(
    readonly context: Context,
    readonly kind: CarrierKind,
    readonly id: string,
    readonly changes: ChangeTagsBody,
  ) {
    super();
  }
}

@CommandHandler(ChangeTags)
export class ChangeTagsHandler implements ICommandHandler<ChangeTags> {
  constructor(
    private readonly store: EventStore,
    private readonly carriers: TagCarriers,
    private readonly queries: TagQueries,
  ) {}

  async execute({ context, kind, id, changes }: ChangeTags): Promise<void> {
    const { organizationId } = context;
    const { idKind, aggregate, event: type, missing } = this.carriers.of(kind);
    if (!isId(idKind, id)) throw await missing(organizationId, id);
    const asked = askedTags(changes);
    const ids = [...asked.add, ...asked.remove];
    const work = this.store.exclusively(organizationId, [], async (tx) => {
      // The tags first, as whoever changes or deletes one does: then neither waits for the other for ever.
      this.store.share(tx, organizationId, ids);
      this.store.lock(tx, organizationId, [id]);
      const [known, current] = await Promise.all([
        this.queries.withIds(tx, organizationId, ids),
        this.store.load(tx, organizationId, aggregate, id),
      ]);
      const events = decideAsExpected(context, current, ({ state }) => {
        if (!state) throw new NotThere();
        requireTags(asked, known);
        const data = changeOf(state.tags, asked, known);
        return data ? [{ type, data }] : [];
      });
      if (events.length > 0)
        await this.store.appendIn(tx, context, [appendTo(aggregate, id, current, events)]);
    });
    await work.catch(async (error: unknown) => {
      throw error instanceof NotThere ? await missing(organizationId, id) : error;
    });
  }
}

/** Thrown before any version is compared. Where the record has gone is looked up outside of the decision. */
class NotThere extends Error {}

/** Tags to give and to take away, by their ids. */
export type AskedTags = Required<ChangeTagsBody>;

/** The same with each id once. */
export const askedTags = ({ add, remove }: ChangeTagsBody): AskedTags => ({
  add: [...new Set(add)],
  remove: [...new Set(remove)],
});

/** What is asked for, as a change of these tags; null where it changes nothing. `known` are the tags asked for that there are. */
export function changeOf(
  tags: readonly RecordTag[],
  { add, remove }: AskedTags,
  known: readonly RecordTag[],
): TagsChange | null {
  const adding = new Set(add);
  const change = tagsChange(tags, { add: known.filter(({ tag_id }) => adding.has(tag_id)), remove });
  if (!change || change.added.length === 0) return change;
  if (tags.length + change.added.length - change.removed.length > MOST_TAGS)
    throw new Problem(409, 'too_many_tags', `A record has at most ${MOST_TAGS} tags.`);
  return change;
}

/** Throws a 400 for tags that are not among the known ones, or in both lists. `fields` are the names of these. */
export function requireTags(
  { add, remove }: AskedTags,
  known: readonly RecordTag[],
  fields = { add: 'add', remove: 'remove' },
): void {
  const ids = new Set(known.map(({ tag_id }) => tag_id));
  const problems = Object.entries({ add, remove }).flatMap(([list, asked]) =>
    asked
      .filter((id) => !ids.has(id))
      .map((id): FieldProblem => {
        const field = fields[list as keyof typeof fields];
        return { field, detail: `there is no tag ${id} in this organization` };
      }),
  );
  const twice = add.find((id) => remove.includes(id));
  const detail = `the tag ${twice} is in ${fields.add} and in ${fields.remove}`;
  if (twice !== undefined) problems.push(...Object.values(fields).map((field) => ({ field, detail })));
  if (problems.length > 0) throw invalid(problems);
}
