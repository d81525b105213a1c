import { Injectable } from '@nestjs/common';
import type { Context } from '#kernel/context.js';
import { Database } from '#database/database.js';
import { requireExpected } from '#event-store/expectation.js';
import { sanitizeHtml } from '#http/input/sanitize-html.js';
import { notFound } from '#http/problems/problem.js';
import { AgentQueries } from './agents.queries.js';
import { SettingsLog } from './settings/settings-log.js';
import { WorkspaceCache } from './workspace.cache.js';
import type { AgentResponse, ChangeAgentBody } from './workspace.dto.js';

/** Changes agents. */
@Injectable()
export class Agents {
  constructor(
    private readonly database: Database,
    private readonly queries: AgentQueries,
    private readonly log: SettingsLog,
    private readonly cache: WorkspaceCache,
  ) {}

  /** Changes the fields that are given. Throws 404 when the organization has no such agent. */
  async change(
    context: Context,
    organization_id: string,
    agentId: string,
    { name, email, signature_html }: ChangeAgentBody,
  ): Promise<AgentResponse> {
    const changes = {
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email: email || null }),
      ...(signature_html !== undefined && { signature_html: await signatureOf(signature_html) }),
    };
    const changed = await this.queries.change(
      organization_id,
      agentId,
      (current) => {
        requireExpected(context, current);
        return changes;
      },
      (tx) => this.log.hold(tx, [organization_id]),
      (tx, before, after) =>
        this.log.record(tx, context, [
          { organization_id, record_type: 'agent', id: agentId, before: told(before), after: told(after) },
        ]),
    );
    if (!changed) throw notFound('agent', agentId);
    this.database.afterCommit(() => this.cache.clear());
    return changed;
  }
}

/** What the audit log shows of an agent. */
export const told = ({ agent_id, name, email, signature_html }: Omit<AgentResponse, 'updated_at'>) => ({
  agent_id,
  name,
  email,
  signature_html,
});

const signatureOf = async (html: string | null): Promise<string | null> =>
  (await sanitizeHtml(html ?? '', 'signature_html')).trim() || null;
