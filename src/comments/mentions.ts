import { Injectable } from '@nestjs/common';
import { unknownId } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';
import { newId } from '#kernel/id.js';
import { Database } from '#database/database.js';
import type { Append } from '#event-store/append.js';
import { requestedNotice } from '../drafts/drafts.contract.js';
import { Directory } from '../workspace/workspace.contract.js';

/** Makes the appends that tell these agents of a comment, for the transaction that writes it. */
export type Telling = (commentId: string, agentIds: string[]) => Append[];

/** Tells agents that a comment mentions them. */
@Injectable()
export class Mentions {
  constructor(
    private readonly directory: Directory,
    private readonly database: Database,
  ) {}

  /**
   * Throws `RuleViolation` for an agent that the organization has not. Call it before the transaction: reading addresses inside would
   * wait for a second connection.
   */
  async prepare(organizationId: string, mentioned: string[] = []): Promise<Telling> {
    if (mentioned.length === 0) return () => [];
    const emails = new Map<string, string | null>();
    for (const id of mentioned) {
      const agent = await this.directory.findAgent(organizationId, id);
      if (!agent) throw unknownId('mentioned_agent_ids', 'agent', id);
      emails.set(id, agent.email);
    }
    // What is due is found by the database's clock.
    const requested_at = await this.database.now();
    return (comment_id, agentIds) => {
      const to = agentIds.map((id) => emails.get(id)).filter((email) => email != null && email !== '');
      return [...new Set(to)].map((email) => noticeTo(email!, comment_id, requested_at));
    };
  }
}

/** One mail for each, so that an address that is refused keeps nobody else from being told. */
const noticeTo = (email: string, comment_id: string, requested_at: Instant): Append =>
  requestedNotice({
    type: 'RequestMention',
    notice_id: newId('notice'),
    comment_id,
    notified_emails: [email],
    requested_at,
  });
