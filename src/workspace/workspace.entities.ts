import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Instant } from '#kernel/instant.js';

// Instants are written as text and read by the queries, never by an entity, which would cut off microseconds.

/** ISO weekdays 1 (Monday) to 7 and local times `HH:MM`, in the organization's time zone. */
export interface BusinessHours {
  days: number[];
  from: string;
  to: string;
}

@Entity('organization')
export class Organization {
  @PrimaryColumn('text') organization_id!: string;
  @Column('text') name!: string;
  @Column('text') timezone!: string;
  @Column('text') default_region!: string;
  @Column('jsonb') business_hours!: BusinessHours;
  @Column('jsonb') notification_emails!: string[];
  @Column('text') created_at!: Instant;
  @Column('int') version!: number;
}

@Entity('agent')
export class Agent {
  @PrimaryColumn('text') organization_id!: string;
  @PrimaryColumn('text') agent_id!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) email!: string | null;
  @Column('text', { nullable: true }) signature_html!: string | null;
  @Column('text') created_at!: Instant;
  @Column('text') updated_at!: Instant;
  @Column('int') version!: number;
}

/** A secret replaced by a rotation: its SHA-256 in hex, and until when it is still valid. */
export interface EarlierSecret {
  hash: string;
  expires_at: Instant;
}

@Entity('api_key')
export class ApiKey {
  @PrimaryColumn('text') key_id!: string;
  @Column('text') name!: string;
  @Column('text', { array: true }) organization_ids!: string[];
  @Column('text', { nullable: true }) agent_id!: string | null;
  @Column('boolean') read_only!: boolean;
  @Column('bytea') secret_hash!: Buffer;
  @Column('jsonb') earlier_secrets!: EarlierSecret[];
  @Column('text', { nullable: true }) expires_at!: Instant | null;
  @Column('text', { nullable: true }) revoked_at!: Instant | null;
  @Column('text', { nullable: true }) last_used_at!: Instant | null;
  @Column('text') created_at!: Instant;
}

@Entity('channel')
export class Channel {
  @PrimaryColumn('text') organization_id!: string;
  @PrimaryColumn('text') modality!: string;
  @Column('text') channel_id!: string;
  @Column('text') provider!: string;
  @Column('jsonb') settings!: Record<string, unknown>;
  /** The lower-cased from address, unique among all organizations; inbound mail finds its channel by it. */
  @Column('text', { nullable: true }) address!: string | null;
  /** Provider secrets and the hook token, sealed (see vault.ts). */
  @Column('bytea') secrets!: Buffer;
  @Column('text') created_at!: Instant;
}

@Entity('stage')
export class Stage {
  @PrimaryColumn('text') organization_id!: string;
  @PrimaryColumn('text') stage_id!: string;
  @Column('text') label!: string;
  @Column('text', { nullable: true }) status!: string | null;
  @Column('int') position!: number;
}

@Entity('solution')
export class Solution {
  @PrimaryColumn('text') organization_id!: string;
  @PrimaryColumn('uuid') uuid!: string;
  @Column('text') name!: string;
  @Column('text') created_at!: Instant;
}

@Entity('custom_field')
export class CustomFieldEntity {
  @PrimaryColumn('text') organization_id!: string;
  @PrimaryColumn('text') record!: string;
  @PrimaryColumn('text') key!: string;
  @Column('text') label!: string;
  @Column('text') type!: string;
  @Column('text', { nullable: true }) ui_type!: string | null;
  @Column('jsonb', { nullable: true }) options!: string[] | null;
  @Column('jsonb', { nullable: true }) default!: unknown;
  @Column('int') position!: number;
}

export const WORKSPACE_ENTITIES = [Organization, Agent, ApiKey, Channel, Stage, Solution, CustomFieldEntity];
