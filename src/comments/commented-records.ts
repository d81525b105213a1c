import { Injectable } from '@nestjs/common';
import { isId } from '#kernel/id.js';
import { EventStore } from '#event-store/event-store.js';
import { notFound, type Problem } from '#http/problems/problem.js';
import { ConversationQueries } from '../conversations/conversations.contract.js';
import { CrmQueries } from '../crm/crm.contract.js';
import type { Commented } from './comment.js';

/** A record that there may be comments on. */
export interface CommentedRecord {
  type: Commented;
  id: string;
}

/** What the ids of a record's type begin with. */
export const kindOf = (type: Commented): string => (type === 'conversation' ? 'conv' : type);

/** Tells which records there are. */
@Injectable()
export class CommentedRecords {
  constructor(
    private readonly store: EventStore,
    private readonly conversations: ConversationQueries,
    private readonly crm: CrmQueries,
  ) {}

  /** Throws a 404 when there is none; where it was merged, that names the one that stays. */
  async require(organizationId: string, record: CommentedRecord): Promise<void> {
    const { database } = this.store;
    const ids = isId(kindOf(record.type), record.id) ? [record.id] : [];
    if (ids.length === 0 || (await this.store.missing(database, organizationId, ids)).length > 0)
      throw await this.missing(organizationId, record);
  }

  /** The 404 for a record that is not there; see `require`. */
  missing(organizationId: string, { type, id }: CommentedRecord): Promise<Problem> {
    switch (type) {
      case 'conversation':
        return this.conversations.missing(organizationId, id);
      case 'contact':
      case 'company':
        return this.crm.missing(organizationId, type, id);
      case 'sale':
        return Promise.resolve(notFound('sale', id));
    }
  }
}
