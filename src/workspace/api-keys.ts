import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Author } from '#kernel/context.js';
import { isId, newId } from '#kernel/id.js';
import { now, plusSeconds } from '#kernel/instant.js';
import { invalid, notFound } from '#http/problems/problem.js';
import { mintApiKey } from './api-key.js';
import { Directory } from './workspace.directory.js';
import type { ApiKeyResponse, CreateApiKeyBody, NewApiKeyResponse } from './api-key.dto.js';
import type { SettingFields } from './settings/setting.js';
import type { SettingChange } from './settings/settings-log.js';
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

  async issue(author: Author, body: CreateApiKeyBody): Promise<NewApiKeyResponse> {
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
    await this.change(author, null, row, (manager) => manager.insert(ApiKey, { ...row }));
    return { ...shown(row), api_key: apiKey };
  }

  /** Gives the key a new secret. The old one stays valid for `overlapSeconds`, earlier ones until their own end. */
  async rotate(author: Author, keyId: string, overlapSeconds: number): Promise<NewApiKeyResponse> {
    const row = await this.known(keyId);
    const { apiKey, hash } = mintApiKey(keyId);
    await this.change(author, row, row, async (manager) => {
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

  async revoke(author: Author, keyId: string): Promise<void> {
    const row = await this.known(keyId);
    const revoked_at = now();
    await this.change(author, row, { ...row, revoked_at }, (manager) =>
      manager.update(ApiKey, { key_id: keyId }, { revoked_at }),
    );
  }

  /** Writes a change of a key, and tells of it in each organization of the key. The same before and after it: another secret. */
  private async change(
    author: Author,
    before: ApiKeyRow | null,
    after: ApiKeyRow,
    write: (manager: EntityManager) => Promise<unknown>,
  ): Promise<void> {
    const { organization_ids } = after;
    await this.writer.change(author, organization_ids, async (manager) => ({
      changes: await Promise.all(
        organization_ids.map(async (organization_id): Promise<SettingChange> => {
          const hasAgent =
            after.agent_id !== null && (await this.directory.hasAgent(organization_id, after.agent_id));
          const shown = (row: ApiKeyRow) => auditedOf({ ...row, agent_id: hasAgent ? row.agent_id : null });
          return {
            organization_id,
            record_type: 'api_key',
            id: after.key_id,
            before: before && shown(before),
            after: shown(after),
            newSecret: before === after,
          };
        }),
      ),
      write: () => write(manager),
    }));
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

/** What an organization's audit log tells of a key: nothing of other organizations, nor of each use. */
const auditedOf = (row: ApiKeyRow): SettingFields => {
  const { organization_ids: _, last_used_at: __, ...fields } = shown(row);
  return fields;
};

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
