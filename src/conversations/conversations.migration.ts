import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Conversations, where merged ones went, messages, the mails that mails answer, bounces, and clicks on links, which are
 * counted and are no events. Ids that others choose are indexed by their hash: an index entry holds 2,704 bytes, and a
 * Message-ID or
 * 1,000 characters of an external_id may be longer.
 */
export class Conversations1700000300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversation (
        organization_id  text COLLATE "C" NOT NULL,
        conversation_id  text COLLATE "C" NOT NULL,
        contact_id       text COLLATE "C" NOT NULL,
        folder           text,
        is_read          boolean NOT NULL,
        agent_id         text COLLATE "C",
        owner_source     text,
        first_sender     jsonb,
        foldered_by      jsonb,
        start_at         timestamptz(6) NOT NULL,
        last_activity_at timestamptz(6) NOT NULL,
        last_message_id  text COLLATE "C" NOT NULL,
        last_modality    text NOT NULL,
        last_inbound     jsonb,
        last_mail        jsonb,
        has_beginning    boolean NOT NULL,
        stream_version   int NOT NULL,
        PRIMARY KEY (organization_id, conversation_id)
      );
      CREATE INDEX conversation_newest
        ON conversation (organization_id, last_activity_at DESC, conversation_id DESC);
      CREATE INDEX conversation_by_contact
        ON conversation (organization_id, contact_id, last_activity_at DESC, conversation_id DESC);
      CREATE INDEX conversation_by_agent
        ON conversation (organization_id, agent_id, last_activity_at DESC, conversation_id DESC)
        WHERE agent_id IS NOT NULL;
      CREATE TABLE merged_conversation (
        organization_id      text COLLATE "C" NOT NULL,
        conversation_id      text COLLATE "C" NOT NULL,
        into_conversation_id text COLLATE "C" NOT NULL,
        PRIMARY KEY (organization_id, conversation_id)
      );
      CREATE TABLE message (
        organization_id   text COLLATE "C" NOT NULL,
        message_id        text COLLATE "C" NOT NULL,
        conversation_id   text COLLATE "C" NOT NULL,
        agent_id          text COLLATE "C",
        modality          text NOT NULL,
        message_direction text NOT NULL,
        is_form_request   boolean NOT NULL,
        subject           text,
        content           text NOT NULL,
        body_html         text,
        call_transcript   text,
        form_request_body jsonb,
        sent_at           timestamptz(6) NOT NULL,
        drafted_at        timestamptz(6),
        email_metadata    jsonb NOT NULL,
        call_metadata     jsonb NOT NULL,
        external_id       text COLLATE "C",
        is_auto_reply     boolean NOT NULL,
        email_message_key text COLLATE "C",
        tracked_links     jsonb NOT NULL,
        new_content       text,
        visitor_id        text COLLATE "C",
        attachments       jsonb,
        PRIMARY KEY (organization_id, message_id)
      );
      CREATE INDEX message_newest ON message (organization_id, conversation_id, sent_at DESC, message_id DESC);
      CREATE UNIQUE INDEX message_external ON message (organization_id, md5(external_id)) WHERE external_id IS NOT NULL;
      CREATE INDEX message_by_mail_id ON message (organization_id, md5(email_message_key)) WHERE email_message_key IS NOT NULL;
      CREATE TABLE link_click (
        organization_id text COLLATE "C" NOT NULL,
        link_id         text COLLATE "C" NOT NULL,
        click_count     bigint NOT NULL,
        scanner_count   bigint NOT NULL,
        PRIMARY KEY (organization_id, link_id)
      );
      CREATE INDEX message_by_visitor ON message (organization_id, md5(visitor_id), sent_at, message_id)
        WHERE visitor_id IS NOT NULL;
      CREATE TABLE mail_reference (
        organization_id text COLLATE "C" NOT NULL,
        reference_hash  text COLLATE "C" NOT NULL,
        contact_id      text COLLATE "C" NOT NULL,
        message_id      text COLLATE "C" NOT NULL,
        PRIMARY KEY (organization_id, reference_hash, contact_id, message_id)
      );
      CREATE TABLE bounce (
        organization_id     text COLLATE "C" NOT NULL,
        bounce_id           text COLLATE "C" NOT NULL,
        external_id         text COLLATE "C" NOT NULL,
        original_message_id text COLLATE "C",
        message_id          text COLLATE "C",
        recipients          jsonb NOT NULL,
        received_at         timestamptz(6) NOT NULL,
        stream_version      int NOT NULL,
        PRIMARY KEY (organization_id, bounce_id)
      );
      CREATE UNIQUE INDEX bounce_external ON bounce (organization_id, md5(external_id));
      CREATE INDEX bounce_by_mail ON bounce (organization_id, md5(original_message_id), received_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE bounce, mail_reference, link_click, message, merged_conversation, conversation`,
    );
  }
}
