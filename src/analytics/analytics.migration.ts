import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Facts that figures are counted from: a row per message, conversation, answered turn, sale and stay in a stage. Indexes
 * start with organization and instant and contain what is counted, so that a window reads only its own part. Sums that add
 * up are also kept per hour, day and month, so that a year costs hardly more than a day.
 */
export class Analytics1700000900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE analytics_message (
        organization_id   text COLLATE "C" NOT NULL,
        conversation_id   text COLLATE "C" NOT NULL,
        message_id        text COLLATE "C" NOT NULL,
        sent_at           timestamptz(6) NOT NULL,
        message_direction text NOT NULL,
        agent_id          text COLLATE "C",
        modality          text NOT NULL,
        is_form_request   boolean NOT NULL,
        is_auto_reply     boolean NOT NULL,
        arrived_as_copy   boolean NOT NULL,
        was_overwritten   boolean,
        is_response       boolean NOT NULL,
        previous_at       timestamptz(6),
        gap               smallint,
        PRIMARY KEY (organization_id, conversation_id, sent_at, message_id)
      );
      CREATE INDEX analytics_message_by_time ON analytics_message (organization_id, message_direction, sent_at, message_id)
        INCLUDE (was_overwritten);
      CREATE INDEX analytics_message_by_agent ON analytics_message (organization_id, agent_id, sent_at, message_id)
        INCLUDE (is_response, previous_at) WHERE message_direction = 'sent' AND agent_id IS NOT NULL;
      CREATE INDEX analytics_message_by_gap ON analytics_message (organization_id, agent_id, gap, sent_at)
        INCLUDE (previous_at) WHERE gap IS NOT NULL;
      CREATE TABLE analytics_conversation (
        organization_id   text COLLATE "C" NOT NULL,
        conversation_id   text COLLATE "C" NOT NULL,
        start_at          timestamptz(6) NOT NULL,
        first_inbound_at  timestamptz(6),
        modality          text,
        is_form_request   boolean NOT NULL,
        arrived_as_copy   boolean NOT NULL,
        first_response_at timestamptz(6),
        contact_returned  boolean NOT NULL,
        last_sent_at      timestamptz(6) NOT NULL,
        last_message_id   text COLLATE "C" NOT NULL,
        last_is_response  boolean NOT NULL,
        turn_message_id   text COLLATE "C",
        turn_at           timestamptz(6),
        last_responses    jsonb NOT NULL,
        PRIMARY KEY (organization_id, conversation_id)
      );
      CREATE INDEX analytics_conversation_by_time ON analytics_conversation (organization_id, first_inbound_at, conversation_id)
        WHERE first_inbound_at IS NOT NULL;
      CREATE INDEX analytics_conversation_responded_to ON analytics_conversation (organization_id, first_inbound_at, conversation_id)
        WHERE first_response_at IS NOT NULL;
      CREATE INDEX analytics_conversation_by_modality ON analytics_conversation (organization_id, modality, first_inbound_at, conversation_id)
        WHERE NOT is_form_request;
      CREATE INDEX analytics_conversation_by_form ON analytics_conversation (organization_id, first_inbound_at, conversation_id)
        WHERE is_form_request;
      CREATE INDEX analytics_conversation_ended ON analytics_conversation (organization_id, last_sent_at)
        INCLUDE (first_inbound_at) WHERE last_is_response;
      CREATE TABLE analytics_turn (
        organization_id text COLLATE "C" NOT NULL,
        conversation_id text COLLATE "C" NOT NULL,
        message_id      text COLLATE "C" NOT NULL,
        inbound_at      timestamptz(6) NOT NULL,
        response_us     bigint NOT NULL,
        response_bucket int NOT NULL,
        business_us     bigint,
        business_bucket int,
        PRIMARY KEY (organization_id, conversation_id, message_id)
      );
      CREATE INDEX analytics_turn_by_time ON analytics_turn (organization_id, inbound_at, message_id)
        INCLUDE (response_bucket, business_bucket);
      CREATE INDEX analytics_turn_by_response ON analytics_turn (organization_id, response_bucket, inbound_at)
        INCLUDE (response_us);
      CREATE INDEX analytics_turn_by_business ON analytics_turn (organization_id, business_bucket, inbound_at)
        INCLUDE (business_us) WHERE business_us IS NOT NULL;
      CREATE TABLE analytics_period (
        organization_id      text COLLATE "C" NOT NULL,
        unit                 text COLLATE "C" NOT NULL,
        at                   timestamptz(6) NOT NULL,
        messages_received    int NOT NULL,
        messages_sent        int NOT NULL,
        sent_with_changes    int NOT NULL,
        sent_without_changes int NOT NULL,
        received             int NOT NULL,
        responded_to         int NOT NULL,
        form_requests        int NOT NULL,
        texts                int NOT NULL,
        calls                int NOT NULL,
        emails               int NOT NULL,
        live_chats           int NOT NULL,
        direct_emails        int NOT NULL,
        indirect_emails      int NOT NULL,
        contact_returned     int NOT NULL,
        answered_in_an_hour  int NOT NULL,
        ended_by_response    int NOT NULL,
        PRIMARY KEY (organization_id, unit, at)
      );
      CREATE TABLE analytics_agent_period (
        organization_id text COLLATE "C" NOT NULL,
        agent_id        text COLLATE "C" NOT NULL,
        unit            text COLLATE "C" NOT NULL,
        at              timestamptz(6) NOT NULL,
        messages_sent   int NOT NULL,
        first_responses int NOT NULL,
        PRIMARY KEY (organization_id, agent_id, unit, at) INCLUDE (messages_sent, first_responses)
      );
      CREATE TABLE analytics_response_group (
        organization_id text COLLATE "C" NOT NULL,
        kind            text COLLATE "C" NOT NULL,
        unit            text COLLATE "C" NOT NULL,
        at              timestamptz(6) NOT NULL,
        bucket_group    int NOT NULL,
        turns           int NOT NULL,
        PRIMARY KEY (organization_id, kind, unit, at, bucket_group) INCLUDE (turns)
      );
      CREATE TABLE analytics_response_bucket (
        organization_id text COLLATE "C" NOT NULL,
        kind            text COLLATE "C" NOT NULL,
        unit            text COLLATE "C" NOT NULL,
        bucket_group    int NOT NULL,
        at              timestamptz(6) NOT NULL,
        bucket          int NOT NULL,
        turns           int NOT NULL,
        PRIMARY KEY (organization_id, kind, unit, bucket_group, at, bucket) INCLUDE (turns)
      );
      CREATE TABLE analytics_sale (
        organization_id             text COLLATE "C" NOT NULL,
        sale_id                     text COLLATE "C" NOT NULL,
        owner_id                    text COLLATE "C",
        created_at                  timestamptz(6) NOT NULL,
        currency                    text,
        total_price                 numeric,
        associated_conversation_ids jsonb NOT NULL,
        status_history              jsonb NOT NULL,
        quoted_at                   timestamptz(6),
        accepted_at                 timestamptz(6),
        labelled_accepted_at        timestamptz(6),
        PRIMARY KEY (organization_id, sale_id)
      );
      CREATE INDEX analytics_sale_by_time ON analytics_sale (organization_id, created_at, sale_id)
        INCLUDE (owner_id, accepted_at, labelled_accepted_at);
      CREATE INDEX analytics_sale_by_owner ON analytics_sale (organization_id, owner_id, created_at, sale_id)
        INCLUDE (accepted_at, labelled_accepted_at) WHERE owner_id IS NOT NULL;
      CREATE INDEX analytics_sale_won ON analytics_sale (organization_id, created_at, sale_id)
        WHERE accepted_at IS NOT NULL;
      CREATE INDEX analytics_sale_won_by_owner ON analytics_sale (organization_id, owner_id, created_at, sale_id)
        WHERE accepted_at IS NOT NULL;
      CREATE INDEX analytics_sale_labelled_won ON analytics_sale (organization_id, created_at, sale_id)
        WHERE labelled_accepted_at IS NOT NULL;
      CREATE INDEX analytics_sale_labelled_won_by_owner ON analytics_sale (organization_id, owner_id, created_at, sale_id)
        WHERE labelled_accepted_at IS NOT NULL;
      CREATE INDEX analytics_sale_quoted ON analytics_sale (organization_id, quoted_at) WHERE quoted_at IS NOT NULL;
      CREATE INDEX analytics_sale_accepted ON analytics_sale (organization_id, accepted_at) WHERE accepted_at IS NOT NULL;
      CREATE INDEX analytics_sale_labelled_accepted ON analytics_sale (organization_id, labelled_accepted_at)
        WHERE labelled_accepted_at IS NOT NULL;
      CREATE TABLE analytics_stay (
        organization_id text COLLATE "C" NOT NULL,
        sale_id         text COLLATE "C" NOT NULL,
        status_id       text COLLATE "C" NOT NULL,
        entered_at      timestamptz(6) NOT NULL,
        left_at         timestamptz(6),
        gap             smallint NOT NULL,
        owner_id        text COLLATE "C",
        currency        text,
        total_price     numeric,
        PRIMARY KEY (organization_id, sale_id, status_id)
      );
      CREATE INDEX analytics_stay_by_stage ON analytics_stay (organization_id, status_id, gap, entered_at, sale_id);
      CREATE INDEX analytics_stay_by_owner ON analytics_stay (organization_id, owner_id, status_id, gap, entered_at, sale_id)
        WHERE owner_id IS NOT NULL;
      CREATE INDEX analytics_stay_begun ON analytics_stay (organization_id, entered_at);
      CREATE INDEX analytics_stay_ended ON analytics_stay (organization_id, left_at) WHERE left_at IS NOT NULL;
      CREATE TABLE analytics_stay_period (
        organization_id text COLLATE "C" NOT NULL,
        owner_id        text COLLATE "C" NOT NULL,
        unit            text COLLATE "C" NOT NULL,
        at              timestamptz(6) NOT NULL,
        status_id       text COLLATE "C" NOT NULL,
        currency        text COLLATE "C" NOT NULL,
        decimals        int NOT NULL,
        begun           int NOT NULL,
        begun_units     numeric NOT NULL,
        ended           int NOT NULL,
        ended_units     numeric NOT NULL,
        PRIMARY KEY (organization_id, owner_id, unit, at, status_id, currency, decimals)
      );
      CREATE TABLE analytics_sale_period (
        organization_id   text COLLATE "C" NOT NULL,
        owner_id          text COLLATE "C" NOT NULL,
        unit              text COLLATE "C" NOT NULL,
        at                timestamptz(6) NOT NULL,
        created           int NOT NULL,
        accepted          int NOT NULL,
        labelled_accepted int NOT NULL,
        PRIMARY KEY (organization_id, owner_id, unit, at)
      );
      CREATE TABLE analytics_sale_conversation (
        organization_id text COLLATE "C" NOT NULL,
        conversation_id text COLLATE "C" NOT NULL,
        entered         text COLLATE "C" NOT NULL,
        sale_id         text COLLATE "C" NOT NULL,
        PRIMARY KEY (organization_id, conversation_id, entered, sale_id)
      );
      CREATE INDEX analytics_sale_conversation_by_sale ON analytics_sale_conversation (organization_id, sale_id);
      CREATE TABLE analytics_funnel_period (
        organization_id         text COLLATE "C" NOT NULL,
        unit                    text COLLATE "C" NOT NULL,
        at                      timestamptz(6) NOT NULL,
        quoted_leads            int NOT NULL,
        accepted_leads          int NOT NULL,
        labelled_accepted_leads int NOT NULL,
        quoted_units            numeric NOT NULL,
        accepted                int NOT NULL,
        accepted_units          numeric NOT NULL,
        accepted_us             numeric NOT NULL,
        labelled_accepted       int NOT NULL,
        labelled_accepted_units numeric NOT NULL,
        labelled_accepted_us    numeric NOT NULL,
        PRIMARY KEY (organization_id, unit, at)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE analytics_funnel_period, analytics_sale_period, analytics_stay_period, analytics_sale_conversation, analytics_stay, analytics_sale, analytics_response_group, analytics_response_bucket, analytics_agent_period,
        analytics_period, analytics_turn, analytics_conversation, analytics_message
    `);
  }
}
