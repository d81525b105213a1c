import { Injectable } from '@nestjs/common';
import { notFound, Problem } from '#http/problems/problem.js';
import { ConversationQueries } from '../conversations/conversations.contract.js';
import { DraftQueries, type DraftRow } from './drafts.queries.js';

/** A path to a draft: a message draft, or a response draft of this conversation. */
export interface DraftPath {
  organizationId: string;
  /** Null for message drafts. */
  conversationId: string | null;
  draftId: string;
}

/** Finds drafts by path and checks every part of the path. */
@Injectable()
export class DraftLookup {
  constructor(
    private readonly queries: DraftQueries,
    private readonly conversations: ConversationQueries,
  ) {}

  /**
   * Throws 404 for an unknown conversation or draft. For a draft of the other kind the 404 names the other route; for a
   * draft that was sent, the message or conversation.
   */
  async pending(path: DraftPath): Promise<DraftRow> {
    const { organizationId, conversationId, draftId } = path;
    const row = await this.queries.draft(organizationId, draftId);
    const wanted = conversationId === null ? 'message' : 'response';
    const isPending = row?.kind === wanted && row.message_id === null;
    if (isPending && row.conversation_id === conversationId) return row;
    throw await this.problemOf(path, row);
  }

  /** The 404 that says why the path does not lead to this row, or to any. */
  private async problemOf(
    { organizationId, conversationId, draftId }: DraftPath,
    row: DraftRow | undefined,
  ): Promise<Problem> {
    if (conversationId !== null) await this.conversations.existing(organizationId, conversationId);
    const wanted = conversationId === null ? 'message' : 'response';
    if (!row) return notFound(`${wanted}_draft`, draftId);
    const home = row.conversation_id && (await this.homeOf(organizationId, row));
    const found = { ...row, conversation_id: home };
    if (row.kind !== wanted) return wrongKind(organizationId, found);
    const isElsewhere = conversationId !== null && home !== conversationId;
    return row.message_id && !isElsewhere
      ? promoted(organizationId, found)
      : notFound(`${wanted}_draft`, draftId);
  }

  /** A conversation can be merged into another once its drafts are sent. */
  private async homeOf(
    organizationId: string,
    { conversation_id, message_id }: DraftRow,
  ): Promise<string | null> {
    const into =
      message_id === null ? undefined : await this.conversations.mergedInto(organizationId, conversation_id!);
    return into ?? conversation_id;
  }
}

function wrongKind(organizationId: string, { kind, draft_id, conversation_id }: DraftRow): Problem {
  const root = `/api/v2/organizations/${organizationId}`;
  const route =
    kind === 'message'
      ? `${root}/message-drafts/${draft_id}`
      : `${root}/conversations/${conversation_id}/response-drafts/${draft_id}`;
  return new Problem(
    404,
    'wrong_draft_kind',
    `${draft_id} is a ${kind} draft; use the ${kind}-drafts route.`,
    { hint: { method: 'GET', route } },
  );
}

function promoted(
  organizationId: string,
  { kind, draft_id, conversation_id, message_id }: DraftRow,
): Problem {
  const conversation = `/api/v2/organizations/${organizationId}/conversations/${conversation_id}`;
  const [became, named, route] =
    kind === 'message'
      ? [`the conversation ${conversation_id}`, 'conversation', conversation]
      : [`the message ${message_id}`, 'messages', `${conversation}/messages/${message_id}`];
  return new Problem(
    404,
    'draft_promoted',
    `The ${kind} draft ${draft_id} was sent and is now ${became}; use the ${named} route.`,
    { hint: { method: 'GET', route } },
  );
}
