import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsInt, IsString, Max, Min } from 'class-validator';
import { InstantField, NonEmptyText, Optional, OptionalNullable } from '#http/input/fields.js';

export class CreateApiKeyBody {
  /** What the key is for. @example "Website integration" */
  @NonEmptyText()
  name!: string;
  /** The organizations the key sees. @example ["org_01hzy3v7q4e8k9m2n5p6r7s8t9"] */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @IsString({ each: true })
  organization_ids!: string[];
  /** The agent on whose behalf the key acts. */
  @OptionalNullable()
  @IsString()
  agent_id?: string | null;
  /** Whether the key may only read. */
  @Optional()
  @IsBoolean()
  @ApiProperty({ default: false })
  read_only?: boolean;
  /** The instant from which the key is refused. */
  @OptionalNullable()
  @InstantField()
  expires_at?: string | null;
}

export class RotateApiKeyBody {
  /** Seconds for which the old secret stays valid; 0 when left out. @example 3600 */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(30 * 24 * 3600)
  @ApiProperty({ type: 'integer', default: 0 })
  overlap_seconds?: number;
}

export class ApiKeyResponse {
  key_id!: string;
  name!: string;
  organization_ids!: string[];
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
  read_only!: boolean;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  expires_at!: string | null;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  revoked_at!: string | null;
  /** When it was last used, at most about a minute late; null when never. */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  last_used_at!: string | null;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class NewApiKeyResponse extends ApiKeyResponse {
  /** The key itself; it is shown this once. */
  api_key!: string;
}

export class ApiKeyListResponse {
  data!: ApiKeyResponse[];
}
