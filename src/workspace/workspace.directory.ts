import { Injectable } from '@nestjs/common';
import type { CustomValues } from '#kernel/custom-values.js';
import { type Instant, now } from '#kernel/instant.js';
import { isId } from '#kernel/id.js';
import { unknownId } from '#kernel/decider.js';
import type { Caller, KeyVerifier } from '#http/access/caller.js';
import { invalid, notFound } from '#http/problems/problem.js';
import { readApiKey, sameHash } from './api-key.js';
import { type CustomField, type CustomFieldRecord, withDefaults, wrongValues } from './custom-field.js';
import { customFilter } from './custom-filter.js';
import { KeyUsage } from './key-usage.js';
import type { AgentResponse } from './workspace.dto.js';
import { WorkspaceCache } from './workspace.cache.js';
import {
  type ApiKeyRow,
  type OrganizationRow,
  type SolutionRow,
  type StageRow,
  WorkspaceQueries,
} from './workspace.queries.js';

type CustomFields = Record<CustomFieldRecord, CustomField[]>;

/** The caller of a presented key, and the instant from which the key is invalid; null when there is none. */
interface Admission {
  caller: Caller;
  until: Instant | null;
}

/** Answers other contexts' questions about the workspace, mostly from memory. */
@Injectable()
export class Directory implements KeyVerifier {
  constructor(
    private readonly cache: WorkspaceCache,
    private readonly queries: WorkspaceQueries,
    private readonly usage: KeyUsage,
  ) {}

  verify(presented = ''): Promise<Caller | null> | Caller | null {
    const name = `admission/${presented}`;
    const kept = this.cache.kept<Admission>(name);
    if (kept) return this.callerOf(kept);
    // Invalid keys are not cached, so nobody can fill the cache with them.
    return this.cache.get(name, () => this.admit(presented)).then((admission) => this.callerOf(admission));
  }

  /** The same for a key that has a secret with this SHA-256 hash. */
  async callerWith(keyId: string, secretHash: Buffer): Promise<Caller | null> {
    return this.callerOf(await this.admitBy(keyId, secretHash));
  }

  private callerOf(admission: Admission | undefined): Caller | null {
    if (!admission) return null;
    if (admission.until !== null && admission.until <= now()) return null;
    this.usage.note(admission.caller.keyId);
    return admission.caller;
  }

  private async admit(presented: string): Promise<Admission | undefined> {
    const read = readApiKey(presented);
    return read ? this.admitBy(read.keyId, read.hash) : undefined;
  }

  private async admitBy(keyId: string, secretHash: Buffer): Promise<Admission | undefined> {
    const key = await this.cache.get(keyId, () => this.queries.apiKey(keyId));
    if (!key) return undefined;
    // Another process may have given the key a new secret a moment ago.
    return admissionBy(secretHash, key) ?? admissionBy(secretHash, await this.queries.apiKey(keyId));
  }

  organization(id: string): Promise<OrganizationRow | undefined> {
    if (!isId('org', id)) return Promise.resolve(undefined);
    return this.cache.get(id, () => this.queries.organization(id));
  }

  /** The organization; throws a 404 when there is none. */
  async existingOrganization(id: string): Promise<OrganizationRow> {
    const found = await this.organization(id);
    if (!found) throw notFound('organization', id);
    return found;
  }

  /** The ids of all organizations. */
  async allOrganizationIds(): Promise<string[]> {
    return (await this.queries.allOrganizations()).map(({ organization_id }) => organization_id);
  }

  /** Whether there is no organization at all. */
  async isEmpty(): Promise<boolean> {
    return (await this.queries.allOrganizations()).length === 0;
  }

  /** The oldest organization of this name. */
  async named(name: string): Promise<OrganizationRow | undefined> {
    return (await this.queries.allOrganizations()).findLast((organization) => organization.name === name);
  }

  /** Whether the agent belongs to the organization. */
  async hasAgent(organizationId: string, agentId: string): Promise<boolean> {
    return (await this.findAgent(organizationId, agentId)) !== undefined;
  }

  /** The agent; throws a 404 when the organization has no such agent. */
  async existingAgent(organizationId: string, agentId: string): Promise<AgentResponse> {
    const found = await this.findAgent(organizationId, agentId);
    if (!found) throw notFound('agent', agentId);
    return found;
  }

  /** The agent who sends something; undefined for nobody. */
  async agentOrNone(organizationId: string, agentId: string | null): Promise<AgentResponse | undefined> {
    return agentId === null ? undefined : this.findAgent(organizationId, agentId);
  }

  /** The agent, if the organization has one with this id. */
  async findAgent(organizationId: string, agentId: string): Promise<AgentResponse | undefined> {
    if (!isId('agent', agentId)) return undefined;
    return this.cache.get(`${organizationId}/${agentId}`, () => this.queries.agent(organizationId, agentId));
  }

  /** All agents of the organization, newest first. */
  agents(organizationId: string): Promise<AgentResponse[]> {
    return this.queries.agents(organizationId);
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

  /** The stages of the organization's pipeline in order. */
  async stages(organizationId: string): Promise<StageRow[]> {
    const stages = await this.cache.get(`${organizationId}/stages`, () =>
      this.queries.stages(organizationId),
    );
    return stages!;
  }

  /** The legacy solutions of these organizations, newest first. */
  solutions(organizationIds: Iterable<string>): Promise<SolutionRow[]> {
    return this.queries.solutions([...organizationIds]);
  }

  /** The custom values of a new record, checked and with defaults. Throws 400 naming each wrong one. */
  async newCustomValues(
    organizationId: string,
    record: CustomFieldRecord,
    values: CustomValues | null,
  ): Promise<CustomValues> {
    const definitions = (await this.customFields(organizationId))[record];
    refuseWrongValues(definitions, values ?? {});
    return withDefaults(definitions, values ?? {});
  }

  /** Checks the custom values in a change. Throws 400 naming each wrong one. */
  async checkCustomValues(
    organizationId: string,
    record: CustomFieldRecord,
    values: CustomValues,
  ): Promise<void> {
    refuseWrongValues((await this.customFields(organizationId))[record], values);
  }

  /** The custom values that a list's query asks for; see `customFilter`. */
  async customFilter(
    organizationId: string,
    record: CustomFieldRecord,
    texts: Record<string, string> | undefined,
  ): Promise<CustomValues | undefined> {
    return texts && customFilter((await this.customFields(organizationId))[record], texts);
  }

  /** Throws `RuleViolation` naming `field` unless the agent, when one is given, belongs to the organization. */
  async requireAgent(
    organizationId: string,
    agentId: string | null | undefined,
    field = 'agent_id',
  ): Promise<void> {
    if (agentId != null && !(await this.hasAgent(organizationId, agentId)))
      throw unknownId(field, 'agent', agentId);
  }
}

function refuseWrongValues(definitions: CustomField[], values: CustomValues): void {
  const wrong = wrongValues(definitions, values);
  if (wrong.length > 0) throw invalid(wrong);
}

/** The caller that a key with this secret hash admits; undefined when the key has no such secret. */
function admissionBy(presented: Buffer, key: ApiKeyRow | undefined): Admission | undefined {
  if (!key || key.revoked_at !== null) return undefined;
  const ends = [key.expires_at];
  if (!sameHash(presented, key.secret_hash)) {
    const earlier = key.earlier_secrets.find(({ hash }) => sameHash(presented, Buffer.from(hash, 'hex')));
    if (!earlier) return undefined;
    ends.push(earlier.expires_at);
  }
  const [until = null] = ends.filter((end) => end !== null).sort();
  const caller = {
    keyId: key.key_id,
    organizationIds: new Set(key.organization_ids),
    agentId: key.agent_id,
    readOnly: key.read_only,
  };
  return { caller, until };
}
