import { Injectable } from '@nestjs/common';
import { notFound, Problem } from '#http/problem.js';
import { ConversationQueries } from '../conversations/conversations.contract.js';
import type { ResponseDraftResponse } from './drafts.dto.js';
import { DraftQueries, shownResponseDraft } from './drafts.queries.js';

/** Finds response drafts by their path, both organization and conversation checked. */
@Injectable()
export class ResponseDraftLookup {
  constructor(
    private readonly queries: DraftQueries,
    private readonly conversations: ConversationQueries,
  ) {}

  /** Throws 404 for an unknown conversation or draft, with a hint to the message for a draft that became one. */
  async pending(
    organizationId: string,
    conversationId: string,
    responseId: string,
  ): Promise<ResponseDraftResponse> {
    await this.requireConversation(organizationId, conversationId);
    const row = await this.queries.responseDraft(organizationId, conversationId, responseId);
    if (!row) throw notFound('response_draft', responseId);
    if (row.message_id === null) return shownResponseDraft(row);
    throw new Problem(
      404,
      'draft_promoted',
      `The response draft ${responseId} was sent and is now the message ${row.message_id}; use the messages route.`,
      {
        hint: {
          method: 'GET',
          route: `/api/v2/organizations/${organizationId}/conversations/${conversationId}/messages/${row.message_id}`,
        },
      },
    );
  }

  async requireConversation(organizationId: string, conversationId: string): Promise<void> {
    if (!(await this.conversations.conversation(organizationId, conversationId)))
      throw notFound('conversation', conversationId);
  }
}
