import { Injectable } from '@nestjs/common';
import { foundByIds } from '#database/by-ids.js';
import { Database } from '#database/database.js';
import { WorkspaceCache } from './workspace.cache.js';

interface Named {
  id: string;
  name: string;
}

/** An agent, by its organization. */
export type AgentOf = [organizationId: string, agentId: string];

/** What agents and keys are called now. Mostly from memory; else by a statement for all agents and one for all keys. */
@Injectable()
export class Names {
  constructor(
    private readonly database: Database,
    private readonly cache: WorkspaceCache,
  ) {}

  /** The names by ids; there is none for what does not exist. */
  async of(agents: AgentOf[], keyIds: string[]): Promise<ReadonlyMap<string, string>> {
    const ids = (named: AgentOf[]) => [...new Map(named.map((agent) => [agent[1], agent])).values()];
    const unknown = ids(agents).filter(([, id]) => this.kept(id) === undefined);
    const unknownKeys = [...new Set(keyIds)].filter((id) => this.kept(id) === undefined);
    // They are kept in memory.
    const read = this.database.onPrimary(() => Promise.all([this.agents(unknown), this.keys(unknownKeys)]));
    const names = read.then((found) => new Map(found.flat().map(({ id, name }) => [id, name])));
    const all = [...new Set([...agents.map(([, id]) => id), ...keyIds])];
    const found = all.map(async (id): Promise<[string, string | undefined]> => [
      id,
      await this.cache.get(keyOf(id), async () => (await names).get(id)),
    ]);
    return new Map((await Promise.all(found)).filter((one): one is [string, string] => one[1] !== undefined));
  }

  private kept(id: string): string | undefined {
    return this.cache.kept<string>(keyOf(id));
  }

  private async agents(agents: AgentOf[]): Promise<Named[]> {
    if (agents.length === 0) return [];
    const [organizations, ids] = [agents.map(([organization]) => organization), agents.map(([, id]) => id)];
    if (new Set(organizations).size === 1)
      return this.database.query({
        name: 'agent_names',
        text: `SELECT found.* FROM ${foundByIds('agent', 'agent_id', 'agent_id AS id, name')}`,
        values: [organizations[0], ids],
      });
    return this.database.query({
      text: `SELECT agent_id AS id, name FROM unnest($1::text[], $2::text[]) AS wanted (of_organization_id, id)
               JOIN agent ON organization_id = of_organization_id AND agent_id = id`,
      values: [organizations, ids],
    });
  }

  private async keys(ids: string[]): Promise<Named[]> {
    if (ids.length === 0) return [];
    return this.database.query({
      name: 'key_names',
      text: `SELECT found.* FROM unnest($1::text[]) AS wanted (id) CROSS JOIN LATERAL
               (SELECT key_id AS id, name FROM api_key WHERE key_id = wanted.id OFFSET 0) AS found`,
      values: [ids],
    });
  }
}

const keyOf = (id: string): string => `name/${id}`;
