import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drafts, deliveries that need attention, the links in queued drafts, and notices to send. */
export class Drafts1700000400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE draft (
        organization_id        text COLLATE "C" NOT NULL,
        draft_id               text COLLATE "C" NOT NULL,
        kind                   text NOT NULL,
        conversation_id        text COLLATE "C",
        subject                text,
        body_html              text,
        cc_emails              jsonb NOT NULL,
        bcc_emails             jsonb NOT NULL,
        recipient_name         text,
        recipient_email        text,
        recipient_phone_number text,
        agent_id               text COLLATE "C",
        add_notification       boolean NOT NULL,
        folder                 text,
        modality               text,
        created_at             timestamptz(6) NOT NULL,
        scheduled_send_at      timestamptz(6),
        email_message_id       text COLLATE "C",
        links                  jsonb NOT NULL,
        was_overwritten        boolean NOT NULL,
        writer_id              text COLLATE "C",
        message_id             text COLLATE "C",
        delivery               jsonb NOT NULL,
        stream_version         int NOT NULL,
        PRIMARY KEY (organization_id, draft_id)
      );
      CREATE INDEX draft_newest ON draft (organization_id, created_at DESC, draft_id DESC)
        WHERE kind = 'message' AND message_id IS NULL;
      CREATE UNIQUE INDEX draft_pending_response ON draft (organization_id, conversation_id)
        WHERE kind = 'response' AND message_id IS NULL;
      CREATE INDEX draft_leaving ON draft (organization_id, md5(email_message_id))
        WHERE email_message_id IS NOT NULL AND message_id IS NULL;
      CREATE INDEX draft_by_message ON draft (organization_id, message_id) WHERE message_id IS NOT NULL;
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
      CREATE INDEX delivery_due_of ON delivery (organization_id, due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX delivery_in_hand ON delivery (worker) WHERE worker IS NOT NULL;
      CREATE INDEX delivery_by_status ON delivery (status, draft_id DESC);
      CREATE TABLE tracked_link (
        organization_id text COLLATE "C" NOT NULL,
        link_id         text COLLATE "C" NOT NULL,
        draft_id        text COLLATE "C" NOT NULL,
        url             text NOT NULL,
        PRIMARY KEY (organization_id, link_id)
      );
      CREATE INDEX tracked_link_by_id ON tracked_link (link_id);
      CREATE TABLE review_notice (
        organization_id text COLLATE "C" NOT NULL,
        notice_id       text COLLATE "C" NOT NULL,
        draft_id        text COLLATE "C" NOT NULL,
        draft_version   int NOT NULL,
        notified_emails jsonb NOT NULL,
        attempts        int NOT NULL,
        due_at          timestamptz(6) NOT NULL,
        stream_version  int NOT NULL,
        PRIMARY KEY (organization_id, notice_id)
      );
      CREATE INDEX review_notice_due ON review_notice (due_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE review_notice, tracked_link, delivery, draft`);
  }
}
