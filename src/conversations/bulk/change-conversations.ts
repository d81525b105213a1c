import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { RuleViolation } from '#kernel/decider.js';
import { isId } from '#kernel/id.js';
import { type Instant, now } from '#kernel/instant.js';
import type { RecordTag } from '#kernel/tags.js';
import type { Transaction } from '#database/statements/statement.js';
import { appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { bodyOf, toProblem } from '#http/problems/problem.js';
import { askedTags, type AskedTags, changeOf, requireTags, TagQueries } from '../../tags/tags.contract.js';
import { Directory } from '../../workspace/workspace.contract.js';
import { conversation, type ConversationChanges, type ConversationEvent } from '../conversation.js';
import type { Conversation } from '../conversation-state.js';
import { conversations } from '../conversations.projection.js';
import { ConversationQueries } from '../conversations.queries.js';
import { WakeConversations } from '../snooze/wake-conversations.js';
import { requireStatus } from '../status.js';
import type { ChangeConversationsBody, ChangedConversationsResponse } from './change-conversations.dto.js';

/**
 * Changes up to 200 conversations in the same way, in one transaction. Each is decided alone: one that is not there, or cannot be
 * changed so, is told with its problem. Throws a 400 for changes that none could have.
 */
export class ChangeConversations extends Command<ChangedConversationsResponse> {
  constructor(
    readonly context: Context,
    /** The path that was called, which problems name. */
    readonly url: string,
    readonly body: ChangeConversationsBody,
  ) {
    super();
  }
}

interface Changes {
  triage: ConversationChanges;
  tags: AskedTags;
  at: Instant;
}

const TAG_FIELDS = { add: 'changes.add_tag_ids', remove: 'changes.remove_tag_ids' };

@CommandHandler(ChangeConversations)
export class ChangeConversationsHandler implements ICommandHandler<ChangeConversations> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: ConversationQueries,
    private readonly directory: Directory,
    private readonly tags: TagQueries,
    private readonly waking: WakeConversations,
  ) {}

  async execute({ context, url, body }: ChangeConversations): Promise<ChangedConversationsResponse> {
    const { organizationId } = context;
    const { add_tag_ids, remove_tag_ids, ...triage } = body.changes;
    const tags = askedTags({ add: add_tag_ids, remove: remove_tag_ids });
    const changes = { triage, tags, at: now() };
    inChanges(() => requireStatus(triage, changes.at));
    await this.directory.requireAgent(organizationId, triage.agent_id, 'changes.agent_id');
    const ids = body.conversation_ids.filter((id) => isId('conv', id));
    const refused = await this.store.exclusively(organizationId, [], (tx) =>
      this.changeAll(tx, context, ids, changes),
    );
    if (triage.snoozed_until) this.waking.wakeAt(organizationId, triage.snoozed_until);
    for (const id of body.conversation_ids)
      if (!isId('conv', id) || refused.get(id) instanceof NotThere)
        refused.set(id, await this.queries.missing(organizationId, id));
    const results = body.conversation_ids.map((conversation_id) => {
      const error = refused.get(conversation_id);
      if (!error) return { conversation_id, ok: true };
      const problem = bodyOf(toProblem(error), { id: context.requestId ?? '', url });
      return { conversation_id, ok: false, problem };
    });
    return { results };
  }

  /** Changes those that can be changed; gives what refused the others. */
  private async changeAll(
    tx: Transaction,
    context: Context,
    ids: string[],
    changes: Changes,
  ): Promise<Map<string, Error>> {
    const { organizationId } = context;
    const { add, remove } = changes.tags;
    // The tags first, as whoever changes or deletes one does: then neither waits for the other for ever.
    this.store.share(tx, organizationId, [...add, ...remove]);
    this.store.lock(tx, organizationId, ids);
    const [known, present] = await Promise.all([
      this.tags.withIds(tx, organizationId, [...add, ...remove]),
      this.store.loadAll<Conversation>(tx, organizationId, conversations, ids),
    ]);
    requireTags(changes.tags, known, TAG_FIELDS);
    const refused = new Map<string, Error>();
    const appends = [...present].flatMap(([id, current]) => {
      try {
        const events = eventsOf(current.state, changes, known);
        return events.length > 0 ? [appendTo(conversations, id, current, events)] : [];
      } catch (error) {
        if (toProblem(error).status >= 500 && !(error instanceof NotThere)) throw error;
        refused.set(id, error as Error);
        return [];
      }
    });
    if (appends.length > 0) await this.store.appendIn(tx, context, appends);
    return refused;
  }
}

/** Where it has gone is looked up afterwards. */
class NotThere extends Error {}

/** The events that change a conversation so. Throws where it cannot be. */
function eventsOf(
  state: Conversation | null,
  { triage, tags, at }: Changes,
  known: RecordTag[],
): ConversationEvent[] {
  if (!state) throw new NotThere();
  const events = inChanges(() =>
    conversation.decide(state, { type: 'UpdateConversation', changes: triage, at }),
  );
  const data = changeOf(state.tags, tags, known);
  return data ? [...events, { type: 'ConversationTagsChanged', data }] : events;
}

/** Names the field of a refusal as it is in the body. */
function inChanges<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RuleViolation) || error.field === undefined) throw error;
    throw new RuleViolation(error.code, error.message, `changes.${error.field}`);
  }
}
