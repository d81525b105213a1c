import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Configuration of a workspace: plain tables, written by operators. */
export class Workspace1700000100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization (
        organization_id     text COLLATE "C" PRIMARY KEY,
        name                text NOT NULL,
        timezone            text NOT NULL,
        default_region      text NOT NULL,
        business_hours      jsonb NOT NULL,
        notification_emails jsonb NOT NULL DEFAULT '[]',
        created_at          timestamptz(6) NOT NULL
      );
      CREATE TABLE agent (
        organization_id text COLLATE "C" NOT NULL,
        agent_id        text COLLATE "C" NOT NULL,
        name            text NOT NULL,
        email           text,
        created_at      timestamptz(6) NOT NULL,
        PRIMARY KEY (organization_id, agent_id)
      );
      CREATE INDEX agent_newest ON agent (organization_id, created_at DESC, agent_id DESC);
      CREATE TABLE api_key (
        key_id              text COLLATE "C" PRIMARY KEY,
        name                text NOT NULL,
        organization_ids    text[] NOT NULL,
        agent_id            text COLLATE "C",
        read_only           boolean NOT NULL,
        secret_hash         bytea NOT NULL,
        earlier_secrets     jsonb NOT NULL,
        expires_at          timestamptz(6),
        revoked_at          timestamptz(6),
        last_used_at        timestamptz(6),
        created_at          timestamptz(6) NOT NULL
      );
      CREATE TABLE channel (
        organization_id text COLLATE "C" NOT NULL,
        channel_id      text COLLATE "C" NOT NULL,
        modality        text NOT NULL,
        provider        text NOT NULL,
        settings        jsonb NOT NULL,
        address         text,
        secrets         bytea NOT NULL,
        created_at      timestamptz(6) NOT NULL,
        PRIMARY KEY (organization_id, modality)
      );
      CREATE UNIQUE INDEX channel_by_id ON channel (channel_id);
      CREATE UNIQUE INDEX channel_address ON channel (address);
      CREATE TABLE stage (
        organization_id text COLLATE "C" NOT NULL,
        stage_id        text COLLATE "C" NOT NULL,
        label           text NOT NULL,
        status          text,
        position        int NOT NULL,
        PRIMARY KEY (organization_id, stage_id)
      );
      CREATE TABLE solution (
        organization_id text COLLATE "C" NOT NULL,
        uuid            uuid NOT NULL,
        name            text NOT NULL,
        created_at      timestamptz(6) NOT NULL,
        PRIMARY KEY (organization_id, uuid)
      );
      CREATE TABLE custom_field (
        organization_id text COLLATE "C" NOT NULL,
        record          text NOT NULL,
        key             text COLLATE "C" NOT NULL,
        label           text NOT NULL,
        type            text NOT NULL,
        ui_type         text,
        options         jsonb,
        "default"       jsonb,
        position        int NOT NULL,
        PRIMARY KEY (organization_id, record, key)
      );
      CREATE TABLE workspace_version (version bigint NOT NULL);
      INSERT INTO workspace_version VALUES (1);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE workspace_version, custom_field, solution, stage, channel, api_key, agent, organization`,
    );
  }
}
