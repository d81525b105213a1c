import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import { untilDone } from '#database/refusal.js';
import type { Transaction } from '#database/statements/statement.js';
import { instantAfterLine } from '#event-store/lines.js';
import { isId } from '#kernel/id.js';
import { sameValue } from '#kernel/same.js';
import type { AgentResponse } from './workspace.dto.js';

type AgentChanges = Partial<Pick<AgentResponse, 'name' | 'email' | 'signature_html'>>;

/** Writes of agents. Not by `WorkspaceWriter`: a request under an `Idempotency-Key` has one transaction, which this joins. */
@Injectable()
export class AgentQueries {
  constructor(private readonly database: Database) {}

  /**
   * Changes an agent, once `hold` keeps other changes of the organization apart; undefined when there is none. `tell` appends the event
   * of it, which comes before what is written. Nothing is written where nothing changes.
   */
  async change(
    organizationId: string,
    agentId: string,
    changes: AgentChanges,
    hold: (tx: Transaction) => Promise<void>,
    tell: (tx: Transaction, before: AgentResponse, after: AgentResponse) => Promise<void>,
  ): Promise<AgentResponse | undefined> {
    if (!isId('agent', agentId)) return undefined;
    const change = () =>
      this.database.transaction(async (tx) => {
        await hold(tx);
        const before = await read(tx, organizationId, agentId);
        const after = before && { ...before, ...changes };
        if (!after || sameValue(before, after)) return before;
        await tell(tx, before, after);
        return write(tx, organizationId, after);
      });
    return this.database.inUnitOfWork ? change() : untilDone(change);
  }
}

async function read(
  tx: Transaction,
  organizationId: string,
  agentId: string,
): Promise<AgentResponse | undefined> {
  const [row] = await tx.query<AgentResponse>({
    text: `SELECT agent_id, name, email, signature_html, updated_at FROM agent
            WHERE organization_id = $1 AND agent_id = $2`,
    values: [organizationId, agentId],
  });
  return row;
}

/** Tells all processes that what they have of the workspace in memory is outdated. */
async function write(tx: Transaction, organizationId: string, agent: AgentResponse): Promise<AgentResponse> {
  const { agent_id, name, email, signature_html } = agent;
  const updated_at = await instantAfterLine(tx, organizationId);
  await tx.query({
    text: `UPDATE agent SET name = $3, email = $4, signature_html = $5, updated_at = $6
            WHERE organization_id = $1 AND agent_id = $2`,
    values: [organizationId, agent_id, name, email, signature_html, updated_at],
  });
  await tx.query({ text: 'UPDATE workspace_version SET version = version + 1', values: [] });
  return { ...agent, updated_at };
}
