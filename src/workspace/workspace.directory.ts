import { Injectable } from '@nestjs/common';
import { now } from '#kernel/instant.js';
import { isId } from '#kernel/id.js';
import { RuleViolation } from '#kernel/decider.js';
import type { Caller, KeyVerifier } from '#http/caller.js';
import { readApiKey, sameHash } from './api-key.js';
import {
  type CustomField,
  type CustomFieldRecord,
  type CustomValues,
  validateValues,
  withDefaults,
} from './custom-field.js';
import { WorkspaceCache } from './workspace.cache.js';
import { type OrganizationRow, WorkspaceQueries } from './workspace.queries.js';

type CustomFields = Record<CustomFieldRecord, CustomField[]>;

/** What other contexts ask of the workspace, answered from memory in the steady state. */
@Injectable()
export class Directory implements KeyVerifier {
  constructor(
    private readonly cache: WorkspaceCache,
    private readonly queries: WorkspaceQueries,
  ) {}

  async verify(presented: string | undefined): Promise<Caller | null> {
    const read = presented === undefined ? null : readApiKey(presented);
    if (!read) return null;
    const key = await this.cache.get(read.keyId, () => this.queries.apiKey(read.keyId));
    if (!key || key.revoked_at !== null) return null;
    const instant = now();
    if (key.expires_at !== null && key.expires_at <= instant) return null;
    const previousHolds = key.previous_hash !== null && (key.previous_expires_at ?? '') > instant;
    if (!sameHash(read.hash, key.secret_hash) && !(previousHolds && sameHash(read.hash, key.previous_hash!)))
      return null;
    return {
      keyId: key.key_id,
      organizationIds: new Set(key.organization_ids),
      agentId: key.agent_id,
      readOnly: key.read_only,
    };
  }

  organization(id: string): Promise<OrganizationRow | undefined> {
    if (!isId('org', id)) return Promise.resolve(undefined);
    return this.cache.get(id, () => this.queries.organization(id));
  }

  /** Whether there is no organization at all. */
  async isEmpty(): Promise<boolean> {
    return (await this.queries.allOrganizations()).length === 0;
  }

  /** Whether the agent belongs to the organization. */
  async hasAgent(organizationId: string, agentId: string): Promise<boolean> {
    if (!isId('agent', agentId)) return false;
    const key = `${organizationId}/${agentId}`;
    return (await this.cache.get(key, () => this.queries.agent(organizationId, agentId))) !== undefined;
  }

  /** The agent's name, for the sender of a mail; null for no agent. */
  async agentName(organizationId: string, agentId: string | null): Promise<string | null> {
    if (agentId === null || !(await this.hasAgent(organizationId, agentId))) return null;
    return (await this.queries.agent(organizationId, agentId))?.name ?? null;
  }

  async customFields(organizationId: string): Promise<CustomFields> {
    const fields = await this.cache.get<CustomFields>(`${organizationId}/custom-fields`, async () => {
      const rows = await this.queries.customFields(organizationId);
      const of = (record: CustomFieldRecord) =>
        rows.filter((row) => row.record === record).map(({ record: _, ...definition }) => definition);
      return { sales: of('sales'), contacts: of('contacts'), companies: of('companies') };
    });
    return fields!;
  }

  /** The custom values of a new record, checked, with defaults. Throws `RuleViolation` naming the field. */
  async newCustomValues(
    organizationId: string,
    record: CustomFieldRecord,
    values: CustomValues | null,
  ): Promise<CustomValues> {
    const definitions = (await this.customFields(organizationId))[record];
    validateValues(definitions, values ?? {});
    return withDefaults(definitions, values ?? {});
  }

  /** Checks custom values that a change brings. Throws `RuleViolation` naming the field. */
  async checkCustomValues(
    organizationId: string,
    record: CustomFieldRecord,
    values: CustomValues,
  ): Promise<void> {
    validateValues((await this.customFields(organizationId))[record], values);
  }

  /** Throws `RuleViolation` naming `field` unless the agent, when one is given, belongs to the organization. */
  async requireAgent(
    organizationId: string,
    agentId: string | null | undefined,
    field = 'agent_id',
  ): Promise<void> {
    if (agentId != null && !(await this.hasAgent(organizationId, agentId)))
      throw new RuleViolation(
        'validation_failed',
        `there is no agent ${agentId} in this organization`,
        field,
      );
  }
}
