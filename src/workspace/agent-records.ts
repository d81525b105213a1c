import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type FoundRecords, RecordReaders } from '#http/expansion/record-readers.js';
import { Directory } from './workspace.directory.js';

/** Lets records that name agents be shown with them. */
@Injectable()
export class AgentRecords implements OnModuleInit {
  constructor(
    private readonly readers: RecordReaders,
    private readonly directory: Directory,
  ) {}

  onModuleInit(): void {
    this.readers.add('agent', (organizationId, ids) => this.read(organizationId, ids));
  }

  /** Agents are in memory, mostly, and small. */
  private async read(organizationId: string, ids: string[]): Promise<FoundRecords> {
    const agents = await Promise.all(ids.map((id) => this.directory.findAgent(organizationId, id)));
    const there = agents.filter((agent) => agent !== undefined);
    return { byId: new Map(there.map((agent) => [agent.agent_id, agent])), isWhole: true };
  }
}
