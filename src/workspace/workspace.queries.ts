import type { EntityManager } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { RowReader } from '#database/statements/row-reader.js';
import { OwnConnection } from '#database/monitoring/own-connection.js';
import type { Instant } from '#kernel/instant.js';
import type { UpdatedPageQuery, Page } from '#http/paging/page.dto.js';
import type { List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import { versionedRow } from '#http/versions/versioned.js';
import type { AgentResponse, OrganizationResponse } from './workspace.dto.js';
import type { EarlierSecret, Organization } from './workspace.entities.js';
import type { CustomField, CustomFieldRecord } from './custom-field.js';

export type OrganizationRow = Organization;

export interface ApiKeyRow {
  key_id: string;
  name: string;
  organization_ids: string[];
  agent_id: string | null;
  read_only: boolean;
  secret_hash: Buffer;
  earlier_secrets: EarlierSecret[];
  expires_at: Instant | null;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
  created_at: Instant;
}

/** A stage of the pipeline; `position` counts from 0. */
export interface StageRow {
  status_id: string;
  label: string;
  status: string | null;
  position: number;
}

export interface ChannelRow {
  organization_id: string;
  channel_id: string;
  modality: string;
  provider: string;
  settings: Record<string, unknown>;
  secrets: Buffer;
}

export interface SolutionRow {
  organization_id: string;
  uuid: string;
  name: string;
}

const AGENTS: List = {
  name: 'agents',
  select: 'SELECT agent_id, name, email, signature_html, created_at, updated_at FROM agent',
  sort: 'created_at',
  id: 'agent_id',
};

const CHANNEL = 'SELECT organization_id, channel_id, modality, provider, settings, secrets FROM channel';
const API_KEY = `SELECT key_id, name, organization_ids, agent_id, read_only, secret_hash, earlier_secrets,
  expires_at, revoked_at, last_used_at, created_at FROM api_key`;
const ORGANIZATION = `SELECT organization_id, name, timezone, default_region, business_hours, notification_emails,
  created_at, version FROM organization`;

/** An organization's time zone and business hours, for read models, which have only their transaction. */
export async function readBusinessHours(
  tx: Reader,
  organizationId: string,
): Promise<Pick<OrganizationRow, 'timezone' | 'business_hours'>> {
  const [row] = await tx.query<OrganizationRow>({
    name: 'business_hours',
    text: 'SELECT timezone, business_hours FROM organization WHERE organization_id = $1',
    values: [organizationId],
  });
  return row!;
}

/** Reads of the workspace's configuration. */
@Injectable()
export class WorkspaceQueries {
  private readonly beside: OwnConnection;
  private readonly agentsById: RowReader<AgentResponse & { stream_version: number }>;

  constructor(
    readonly database: Database,
    private readonly pages: Pages,
  ) {
    this.beside = new OwnConnection(() => database.newClient('parley configuration'));
    const columns = 'agent_id, name, email, signature_html, updated_at, version AS stream_version';
    this.agentsById = new RowReader(database, { name: 'agent', table: 'agent', key: 'agent_id', columns });
  }

  /** A number that changes with the configuration. Read beside the pool, which may be busy. */
  async version(): Promise<string> {
    const [row] = await this.beside.query<{ version: string }>('SELECT version FROM workspace_version');
    return row!.version;
  }

  /** Ends the connection that reads the version; the next read opens another. */
  close(): void {
    this.beside.end();
  }

  organizationsById(ids: string[]): Promise<OrganizationResponse[]> {
    return this.database.query({
      text: `SELECT organization_id, name FROM organization WHERE organization_id = ANY ($1)
              ORDER BY created_at DESC, organization_id DESC`,
      values: [ids],
    });
  }

  allOrganizations(): Promise<OrganizationRow[]> {
    return this.database.query({ text: `${ORGANIZATION} ORDER BY created_at DESC, organization_id DESC` });
  }

  async organization(id: string): Promise<OrganizationRow | undefined> {
    const [row] = await this.database.query<OrganizationRow>({
      name: 'organization',
      text: `${ORGANIZATION} WHERE organization_id = $1`,
      values: [id],
    });
    return row;
  }

  customFields(organizationId: string): Promise<(CustomField & { record: CustomFieldRecord })[]> {
    return this.database.query({
      name: 'custom_fields',
      text: `SELECT record, key, label, type, ui_type, options, "default" FROM custom_field
              WHERE organization_id = $1 ORDER BY record, position`,
      values: [organizationId],
    });
  }

  stages(organizationId: string): Promise<StageRow[]> {
    return this.database.query({
      name: 'stages',
      text: `SELECT stage_id AS status_id, label, status, position FROM stage
              WHERE organization_id = $1 ORDER BY position`,
      values: [organizationId],
    });
  }

  /** The legacy solutions of these organizations, newest first. */
  solutions(organizationIds: string[]): Promise<SolutionRow[]> {
    return this.database.query({
      name: 'solutions',
      text: `SELECT organization_id, uuid, name FROM solution WHERE organization_id = ANY ($1)
              ORDER BY created_at DESC, uuid DESC`,
      values: [organizationIds],
    });
  }

  async listAgents(organizationId: string, query: UpdatedPageQuery): Promise<Page<AgentResponse>> {
    const page = await this.pages.read<AgentResponse & { created_at: Instant }>(
      AGENTS,
      [['organization_id =', organizationId]],
      query,
    );
    return { ...page, data: page.data.map(({ created_at: _, ...agent }) => agent) };
  }

  agents(organizationId: string): Promise<(AgentResponse & { created_at: Instant })[]> {
    return this.database.query({
      text: `${AGENTS.select} WHERE organization_id = $1 ORDER BY created_at DESC, agent_id DESC`,
      values: [organizationId],
    });
  }

  async agent(organizationId: string, agentId: string): Promise<AgentResponse | undefined> {
    const row = await this.agentsById.one(organizationId, agentId);
    return row && versionedRow(row);
  }

  apiKeys(): Promise<ApiKeyRow[]> {
    return this.database.query({ text: `${API_KEY} ORDER BY created_at DESC, key_id DESC` });
  }

  async apiKey(keyId: string): Promise<ApiKeyRow | undefined> {
    const [row] = await this.database.query<ApiKeyRow>({
      name: 'api_key',
      text: `${API_KEY} WHERE key_id = $1`,
      values: [keyId],
    });
    return row;
  }

  /** Updates the last use of keys. This is no change of configuration, so no cache becomes outdated. */
  async saveKeyUses(uses: Pick<ApiKeyRow, 'key_id' | 'last_used_at'>[]): Promise<void> {
    await this.database.query({
      name: 'save_key_uses',
      text: `UPDATE api_key SET last_used_at = greatest(api_key.last_used_at, used.at)
               FROM unnest($1::text[], $2::timestamptz[]) AS used(key_id, at) WHERE api_key.key_id = used.key_id`,
      values: [uses.map(({ key_id }) => key_id), uses.map(({ last_used_at }) => last_used_at)],
    });
  }

  async channel(organizationId: string, modality: string): Promise<ChannelRow | undefined> {
    const [row] = await this.database.query<ChannelRow>({
      name: 'channel',
      text: `${CHANNEL} WHERE organization_id = $1 AND modality = $2`,
      values: [organizationId, modality],
    });
    return row;
  }

  /** The channel that was set up last, in any organization. */
  async latestChannel(): Promise<ChannelRow | undefined> {
    const [row] = await this.database.query<ChannelRow>({
      text: `${CHANNEL} ORDER BY channel_id DESC LIMIT 1`,
    });
    return row;
  }

  async channelById(channelId: string): Promise<ChannelRow | undefined> {
    const [row] = await this.database.query<ChannelRow>({
      name: 'channel_by_id',
      text: `${CHANNEL} WHERE channel_id = $1`,
      values: [channelId],
    });
    return row;
  }

  async channelByAddress(addresses: string[]): Promise<ChannelRow | undefined> {
    const [row] = await this.database.query<ChannelRow>({
      name: 'channel_by_address',
      text: `${CHANNEL} WHERE address = ANY ($1) ORDER BY length(address) DESC LIMIT 1`,
      values: [addresses],
    });
    return row;
  }
}

/**
 * Keeps sales from entering stages of the organization until the transaction ends: writers of sales share the lock
 * (require_stages).
 */
export const holdPipeline = (
  manager: Pick<EntityManager, 'query'>,
  organizationId: string,
): Promise<unknown> =>
  manager.query(`SELECT pg_advisory_xact_lock(es_lock_key($1, 'pipeline'))`, [organizationId]);
