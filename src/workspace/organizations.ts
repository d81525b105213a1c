import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { transactionOf } from '#database/managed-transaction.js';
import { instantAfterLine } from '#event-store/lines.js';
import { newId } from '#kernel/id.js';
import type { Author, Context } from '#kernel/context.js';
import { now } from '#kernel/instant.js';
import { sameValue } from '#kernel/same.js';
import { requireExpected } from '#event-store/expectation.js';
import { told } from './agents.js';
import type { ChangeOrganizationBody, CreateAgentBody, CreateOrganizationBody } from './workspace.dto.js';
import { Agent, Organization, Solution, Stage } from './workspace.entities.js';
import { pipelineChange, stageRows } from './pipelines.js';
import { WorkspaceWriter } from './workspace.writer.js';
import type { OrganizationRow } from './workspace.queries.js';

const FIRST_STAGES = [
  { label: 'Qualified', status: null },
  { label: 'Quoted', status: 'quoted' },
  { label: 'Accepted', status: 'accepted' },
  { label: 'Fulfilled', status: 'fulfilled' },
];

const OFFICE_HOURS = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' };

/** Creates organizations, each with a first pipeline and legacy solution, and their agents; changes organizations. */
@Injectable()
export class Organizations {
  constructor(private readonly writer: WorkspaceWriter) {}

  async create(author: Author, body: CreateOrganizationBody): Promise<OrganizationRow> {
    const organization: Organization = {
      organization_id: newId('org'),
      name: body.name,
      timezone: body.timezone ?? 'UTC',
      default_region: body.default_region ?? 'US',
      business_hours: body.business_hours ?? OFFICE_HOURS,
      notification_emails: distinct(body.notification_emails ?? []),
      created_at: now(),
      version: 1,
    };
    const { organization_id, created_at } = organization;
    const stages = FIRST_STAGES.map((stage, position) => ({ status_id: newId('stage'), ...stage, position }));
    await this.writer.change(author, [organization_id], (manager) =>
      Promise.resolve({
        changes: [pipelineChange(organization_id, null, stages)],
        write: async () => {
          await manager.insert(Organization, { ...organization });
          await manager.insert(Stage, stageRows(organization_id, stages));
          await manager.insert(Solution, {
            organization_id,
            uuid: randomUUID(),
            name: body.name,
            created_at,
          });
        },
      }),
    );
    return organization;
  }

  /** Changes the fields that are given. Throws 404 when there is no such organization. */
  async change(
    context: Context,
    organization_id: string,
    { name, notification_emails }: ChangeOrganizationBody,
  ): Promise<void> {
    const changes = {
      ...(name !== undefined && { name }),
      ...(notification_emails !== undefined && { notification_emails: distinct(notification_emails) }),
    };
    await this.writer.changeOf(context, organization_id, async (manager) => {
      const before = await manager.findOneByOrFail(Organization, { organization_id });
      const { version } = before;
      requireExpected(context, { state: before, version });
      const changed = { ...changes, version: version + 1 };
      const write = async () => {
        if (!sameValue({ ...before }, { ...before, ...changes }))
          await manager.update(Organization, { organization_id }, changed);
      };
      return { changes: [], write };
    });
  }

  async addAgent(author: Author, organization_id: string, { name, email }: CreateAgentBody): Promise<Agent> {
    const agent = {
      organization_id,
      agent_id: newId('agent'),
      name,
      email: email || null,
      signature_html: null,
      created_at: now(),
      version: 1,
    };
    const { agent_id } = agent;
    return this.writer.change(author, [organization_id], (manager) =>
      Promise.resolve({
        changes: [{ organization_id, record_type: 'agent', id: agent_id, before: null, after: told(agent) }],
        write: async () => {
          const updated_at = await instantAfterLine(transactionOf(manager), organization_id);
          const added = { ...agent, updated_at };
          await manager.insert(Agent, { ...added });
          return added;
        },
      }),
    );
  }

  async addSolution(organizationId: string, name: string): Promise<{ uuid: string; name: string }> {
    const uuid = randomUUID();
    await this.writer.write((manager) =>
      manager.insert(Solution, { organization_id: organizationId, uuid, name, created_at: now() }),
    );
    return { uuid, name };
  }
}

const distinct = (addresses: string[]): string[] => [...new Set(addresses)];
