import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { Ctx } from '#http/access/caller.js';
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
  issue(@Ctx() context: Context, @Body() body: CreateApiKeyBody): Promise<NewApiKeyResponse> {
    return this.keys.issue(context, body);
  }

  /** List all API keys, newest first, without their secrets. */
  @Get()
  async list(): Promise<ApiKeyListResponse> {
    return { data: await this.keys.list() };
  }

  /** Give a key a new secret, with the old one valid for a while. */
  @Post(':key_id/rotate')
  @HttpCode(200)
  rotate(
    @Ctx() context: Context,
    @Param('key_id') keyId: string,
    @Body() body: RotateApiKeyBody,
  ): Promise<NewApiKeyResponse> {
    return this.keys.rotate(context, keyId, body.overlap_seconds ?? 0);
  }

  /** Revoke a key; within a second no process accepts it any more. */
  @Delete(':key_id')
  @HttpCode(204)
  revoke(@Ctx() context: Context, @Param('key_id') keyId: string): Promise<void> {
    return this.keys.revoke(context, keyId);
  }
}
