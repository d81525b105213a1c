import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows of response drafts, and of deliveries that somebody has to look at. */
export class Drafts1700000400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE response_draft (
        organization_id        text COLLATE "C" NOT NULL,
        response_id            text COLLATE "C" NOT NULL,
        conversation_id        text COLLATE "C" NOT NULL,
        body_html              text NOT NULL,
        cc_emails              jsonb NOT NULL,
        bcc_emails             jsonb NOT NULL,
        recipient_name         text,
        recipient_email        text,
        recipient_phone_number text,
        agent_id               text COLLATE "C",
        add_notification       boolean NOT NULL,
        scheduled_send_at      timestamptz(6),
        created_at             timestamptz(6) NOT NULL,
        modality               text,
        email_message_id       text COLLATE "C",
        was_overwritten        boolean NOT NULL,
        message_id             text COLLATE "C",
        delivery               jsonb NOT NULL,
        stream_version         int NOT NULL,
        PRIMARY KEY (organization_id, response_id)
      );
      CREATE INDEX response_draft_newest
        ON response_draft (organization_id, conversation_id, created_at DESC, response_id DESC);
      CREATE UNIQUE INDEX response_draft_pending
        ON response_draft (organization_id, conversation_id) WHERE message_id IS NULL;
      CREATE INDEX response_draft_by_mail_id ON response_draft (organization_id, email_message_id);
      CREATE TABLE delivery (
        organization_id text COLLATE "C" NOT NULL,
        draft_id        text COLLATE "C" NOT NULL,
        modality        text NOT NULL,
        status          text NOT NULL,
        attempts        int NOT NULL,
        last_error      text,
        due_at          timestamptz(6),
        worker          int,
        PRIMARY KEY (organization_id, draft_id)
      );
      CREATE INDEX delivery_due ON delivery (due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX delivery_in_hand ON delivery (worker) WHERE worker IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE delivery, response_draft`);
  }
}
