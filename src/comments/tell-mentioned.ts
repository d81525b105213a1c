import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventStore } from '#event-store/event-store.js';
import { type NoticeText, NoticeTexts, oneLine } from '../drafts/drafts.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import type { Comment, Commented } from './comment.js';
import { comments } from './comments.projection.js';

/** Characters of the author's name that the notice shows. */
const NAME_LENGTH = 100;

const LISTS: Record<Commented, string> = {
  conversation: 'conversations',
  contact: 'contacts',
  company: 'companies',
  sale: 'sales',
};

/** Says in notices who mentions somebody, and where. What the comment says stays in the organization. */
@Injectable()
export class TellMentioned implements OnModuleInit {
  constructor(
    private readonly texts: NoticeTexts,
    private readonly store: EventStore,
    private readonly directory: Directory,
  ) {}

  onModuleInit(): void {
    this.texts.add('comment', async (organizationId, { comment_id }, apiRoot) => {
      const { database } = this.store;
      const { state } = await this.store.load(database, organizationId, comments, comment_id!);
      if (!state) return null;
      const author = await this.directory.agentOrNone(organizationId, state.agent_id);
      return textOf(state, author?.name ?? null, apiRoot);
    });
  }
}

function textOf(
  { record_type, record_id, comment_id }: Comment,
  name: string | null,
  apiRoot: string,
): NoticeText {
  const who = oneLine(name ?? '').slice(0, NAME_LENGTH) || 'Somebody';
  return {
    subject: `${who} mentions you in a comment on a ${record_type}`,
    lines: [
      `${who} mentions you in a comment on a ${record_type}.`,
      '',
      `Comment: ${apiRoot}/comments/${comment_id}`,
      `On: ${apiRoot}/${LISTS[record_type]}/${record_id}`,
    ],
  };
}
