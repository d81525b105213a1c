import { ApiProperty } from '@nestjs/swagger';
import { OrganizationResponse } from './workspace.dto.js';

export class OwnKeyResponse {
  /** @example "key_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  key_id!: string;
  /** @example "Nightly import" */
  name!: string;
  /** What the key may do: `read`, and unless it is read-only `write` and `send`. */
  scopes!: string[];
  /** Whether it may only read. */
  read_only!: boolean;
  /** When it ends by itself; null if never. */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  expires_at!: string | null;
}

export class OwnAgentResponse {
  /** @example "agent_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  agent_id!: string;
  /** @example "Ada Byron" */
  name!: string;
  /** @example "org_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  organization_id!: string;
}

export class MeResponse {
  /** The key of the request. */
  key!: OwnKeyResponse;
  /** The agent that the key acts for; null if for none. */
  @ApiProperty({ type: OwnAgentResponse, nullable: true })
  agent!: OwnAgentResponse | null;
  /** The organizations that the key sees. */
  organizations!: OrganizationResponse[];
}
