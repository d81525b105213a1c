import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import { untilDone } from '#database/refusal.js';
import type { Transaction } from '#database/statements/statement.js';
import type { Versioned } from '#event-store/change.js';
import { instantAfterLine } from '#event-store/lines.js';
import { isId } from '#kernel/id.js';
import { sameValue } from '#kernel/same.js';
import { atVersion } from '#http/versions/versioned.js';
import type { AgentResponse } from './workspace.dto.js';

type AgentChanges = Partial<Pick<AgentResponse, 'name' | 'email' | 'signature_html'>>;

interface AgentRow extends AgentResponse {
  version: number;
}

/** Writes of agents. Not by `WorkspaceWriter`: a request under an `Idempotency-Key` has one transaction, which this joins. */
@Injectable()
export class AgentQueries {
  constructor(private readonly database: Database) {}

  /**
   * Changes an agent as `decide` says, once `hold` keeps other changes of the organization apart; undefined when there is none. `tell`
   * appends the event of it, which comes before what is written. Nothing is written where nothing changes.
   */
  async change(
    organizationId: string,
    agentId: string,
    decide: (current: Versioned<AgentResponse>) => AgentChanges,
    hold: (tx: Transaction) => Promise<void>,
    tell: (tx: Transaction, before: AgentResponse, after: AgentResponse) => Promise<void>,
  ): Promise<AgentResponse | undefined> {
    if (!isId('agent', agentId)) return undefined;
    const change = () =>
      this.database.transaction(async (tx) => {
        await hold(tx);
        const row = await read(tx, organizationId, agentId);
        if (!row) return undefined;
        const { version, ...before } = row;
        const after = { ...before, ...decide({ state: before, version }) };
        if (sameValue(before, after)) return atVersion(before, version);
        await tell(tx, before, after);
        return write(tx, organizationId, { ...after, version: version + 1 });
      });
    return this.database.inUnitOfWork ? change() : untilDone(change);
  }
}

async function read(tx: Transaction, organizationId: string, agentId: string): Promise<AgentRow | undefined> {
  const [row] = await tx.query<AgentRow>({
    text: `SELECT agent_id, name, email, signature_html, updated_at, version FROM agent
            WHERE organization_id = $1 AND agent_id = $2`,
    values: [organizationId, agentId],
  });
  return row;
}

/** Tells all processes that what they have of the workspace in memory is outdated. */
async function write(
  tx: Transaction,
  organizationId: string,
  { version, ...agent }: AgentRow,
): Promise<AgentResponse> {
  const { agent_id, name, email, signature_html } = agent;
  const updated_at = await instantAfterLine(tx, organizationId);
  await tx.query({
    text: `UPDATE agent SET name = $3, email = $4, signature_html = $5, updated_at = $6, version = $7
            WHERE organization_id = $1 AND agent_id = $2`,
    values: [organizationId, agent_id, name, email, signature_html, updated_at, version],
  });
  await tx.query({ text: 'UPDATE workspace_version SET version = version + 1', values: [] });
  return atVersion({ ...agent, updated_at }, version);
}
