import { Injectable } from '@nestjs/common';
import { Directory } from '../../workspace/workspace.contract.js';
import { agentFigures, saleFigures } from '../figures/analytics.queries.js';
import { readAgentActivities } from '../figures/conversation-figures.queries.js';
import { acceptedColumn, readCreatedSalesOfAgents, readPipelines } from '../figures/sale-figures.queries.js';
import { Snapshots } from '../figures/snapshot.queries.js';
import type { Window } from '../figures/window-slices.js';
import type { AgentsFiguresResponse } from './series.dto.js';

/** The figures of all agents, in as many statements as those of one. */
@Injectable()
export class AgentsFiguresQueries {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly directory: Directory,
  ) {}

  async agents(
    organizationId: string,
    query: Window & { by_currency?: boolean },
  ): Promise<AgentsFiguresResponse> {
    const [agents, stages] = await Promise.all([
      this.directory.agents(organizationId),
      this.directory.stages(organizationId),
    ]);
    const ids = agents.map(({ agent_id }) => agent_id);
    return this.snapshots.take(organizationId, async (tx) => {
      const [activities, pipelines, created] = await Promise.all([
        readAgentActivities(tx, organizationId, ids, query),
        readPipelines(tx, organizationId, query, ids),
        readCreatedSalesOfAgents(tx, organizationId, query, acceptedColumn(stages), ids),
      ]);
      const data = agents.map(({ agent_id, name }) => ({
        agent_id,
        name,
        conversations: agentFigures(activities.get(agent_id)!),
        sales: saleFigures(stages, pipelines.get(agent_id), created.get(agent_id)!, query),
      }));
      return { data };
    });
  }
}
