import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { ApiKeys } from './api-keys.js';
import { ApiKeyListResponse, CreateApiKeyBody, NewApiKeyResponse, RotateApiKeyBody } from './api-key.dto.js';

@ApiTags('Administration')
@ApiSecurity('admin-key')
@ApiProblems(400, 401, 404)
@Controller('admin/v1/api-keys')
export class ApiKeysAdminController {
  constructor(private readonly keys: ApiKeys) {}

  /** Issue an API key. The key itself is in this answer only. */
  @Post()
  issue(@Body() body: CreateApiKeyBody): Promise<NewApiKeyResponse> {
    return this.keys.issue(body);
  }

  /** List all API keys, newest first, without their secrets. */
  @Get()
  async list(): Promise<ApiKeyListResponse> {
    return { data: await this.keys.list() };
  }

  /** Give a key a new secret, with the old one valid for a while. */
  @Post(':key_id/rotate')
  @HttpCode(200)
  rotate(@Param('key_id') keyId: string, @Body() body: RotateApiKeyBody): Promise<NewApiKeyResponse> {
    return this.keys.rotate(keyId, body.overlap_seconds ?? 0);
  }

  /** Revoke a key; within a second no process accepts it any more. */
  @Delete(':key_id')
  @HttpCode(204)
  revoke(@Param('key_id') keyId: string): Promise<void> {
    return this.keys.revoke(keyId);
  }
}
