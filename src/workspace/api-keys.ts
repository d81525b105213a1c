import { Injectable } from '@nestjs/common';
import { isId, newId } from '#kernel/id.js';
import { now, plusSeconds } from '#kernel/instant.js';
import { invalid, notFound } from '#http/problems/problem.js';
import { mintApiKey } from './api-key.js';
import { Directory } from './workspace.directory.js';
import type { ApiKeyResponse, CreateApiKeyBody, NewApiKeyResponse } from './api-key.dto.js';
import { ApiKey } from './workspace.entities.js';
import { type ApiKeyRow, WorkspaceQueries } from './workspace.queries.js';
import { WorkspaceWriter } from './workspace.writer.js';

/** Issues, rotates and revokes API keys. Only hashes of their secrets are stored. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly writer: WorkspaceWriter,
    private readonly queries: WorkspaceQueries,
    private readonly directory: Directory,
  ) {}

  async list(): Promise<ApiKeyResponse[]> {
    return (await this.queries.apiKeys()).map(shown);
  }

  async issue(body: CreateApiKeyBody): Promise<NewApiKeyResponse> {
    await this.requireKnown(body);
    const keyId = newId('key');
    const { apiKey, hash } = mintApiKey(keyId);
    const row: ApiKeyRow = {
      key_id: keyId,
      name: body.name,
      organization_ids: [...new Set(body.organization_ids)],
      agent_id: body.agent_id ?? null,
      read_only: body.read_only ?? false,
      secret_hash: hash,
      earlier_secrets: [],
      expires_at: body.expires_at ?? null,
      revoked_at: null,
      last_used_at: null,
      created_at: now(),
    };
    await this.writer.write((manager) => manager.insert(ApiKey, { ...row }));
    return { ...shown(row), api_key: apiKey };
  }

  /** Gives the key a new secret. The old one stays valid for `overlapSeconds`, earlier ones until their own end. */
  async rotate(keyId: string, overlapSeconds: number): Promise<NewApiKeyResponse> {
    const row = await this.known(keyId);
    const { apiKey, hash } = mintApiKey(keyId);
    await this.writer.write(async (manager) => {
      // Under the key's lock: a secret that another rotation makes at this moment was given out, so it counts as the old
      // one here.
      const lock = { mode: 'pessimistic_write' as const };
      const locked = await manager.findOneOrFail(ApiKey, { where: { key_id: keyId }, lock });
      if (locked.revoked_at !== null) throw notFound('api_key', keyId);
      const at = now();
      const replaced = {
        hash: locked.secret_hash.toString('hex'),
        expires_at: plusSeconds(at, overlapSeconds),
      };
      const earlier_secrets = [...locked.earlier_secrets, replaced].filter(
        ({ expires_at }) => expires_at > at,
      );
      await manager.update(ApiKey, { key_id: keyId }, { secret_hash: hash, earlier_secrets });
    });
    return { ...shown(row), api_key: apiKey };
  }

  async revoke(keyId: string): Promise<void> {
    await this.known(keyId);
    await this.writer.write((manager) => manager.update(ApiKey, { key_id: keyId }, { revoked_at: now() }));
  }

  private async known(keyId: string): Promise<ApiKeyRow> {
    const row = isId('key', keyId) ? await this.queries.apiKey(keyId) : undefined;
    if (!row || row.revoked_at !== null) throw notFound('api_key', keyId);
    return row;
  }

  private async requireKnown({ organization_ids, agent_id }: CreateApiKeyBody): Promise<void> {
    for (const id of organization_ids)
      if (!(await this.directory.organization(id)))
        throw invalid([{ field: 'organization_ids', detail: `there is no organization ${id}` }]);
    if (agent_id == null) return;
    for (const id of organization_ids) if (await this.directory.hasAgent(id, agent_id)) return;
    throw invalid([{ field: 'agent_id', detail: `there is no agent ${agent_id} in these organizations` }]);
  }
}

const shown = (row: ApiKeyRow): ApiKeyResponse => ({
  key_id: row.key_id,
  name: row.name,
  organization_ids: row.organization_ids,
  agent_id: row.agent_id,
  read_only: row.read_only,
  expires_at: row.expires_at,
  revoked_at: row.revoked_at,
  last_used_at: row.last_used_at,
  created_at: row.created_at,
});
