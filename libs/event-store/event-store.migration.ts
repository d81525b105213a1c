import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events and checkpoints, and the first `es_append`. Events are written by the one of `AppendByOrganization` now, which tells what
 * its steps are for (docs/adr/0001-event-store.md).
 */
export class EventStore1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE es_position AS bigint CACHE 1;
      CREATE TABLE es_event (
        organization_id text COLLATE "C" NOT NULL,
        stream_id       text COLLATE "C" NOT NULL,
        version         int NOT NULL,
        tx              xid8 NOT NULL,
        position        bigint NOT NULL,
        stream_type     text NOT NULL,
        event_id        text COLLATE "C" NOT NULL,
        type            text NOT NULL,
        schema_version  int NOT NULL,
        data            jsonb NOT NULL,
        meta            jsonb NOT NULL,
        occurred_at     timestamptz(6) NOT NULL,
        PRIMARY KEY (organization_id, stream_id, version)
      );
      CREATE INDEX es_event_feed ON es_event (tx, position);
      CREATE INDEX es_event_organization_feed ON es_event (organization_id, tx, position);
      CREATE TABLE es_checkpoint (
        projection text PRIMARY KEY,
        version    int NOT NULL,
        tx         xid8 NOT NULL,
        position   bigint NOT NULL,
        updated_at timestamptz(6) NOT NULL
      );
      CREATE TABLE es_rebuild (
        projection   text PRIMARY KEY,
        progress     float8 NOT NULL,
        seconds_left float8
      );
    `);
    await runner.query(APPEND);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION es_append(jsonb, jsonb, jsonb, boolean);
      DROP FUNCTION es_lock(text, text[]);
      DROP FUNCTION es_lock_key(text, text);
      DROP TABLE es_rebuild, es_checkpoint, es_event;
      DROP SEQUENCE es_position;
    `);
  }
}

const APPEND = `
  CREATE FUNCTION es_lock_key(p_organization_id text, p_key text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended(p_organization_id || '/' || p_key, 0)
  $$;

  CREATE FUNCTION es_lock(p_organization_id text, p_keys text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(locks.key)
       FROM (SELECT DISTINCT es_lock_key(p_organization_id, k) AS key FROM unnest(p_keys) k ORDER BY 1 OFFSET 0) locks;
  END $$;

  CREATE FUNCTION es_append(p_streams jsonb, p_events jsonb, p_rows jsonb DEFAULT NULL, p_wait boolean DEFAULT true)
  RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    v_tx xid8;
    v_refused jsonb;
  BEGIN
    IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
      RAISE EXCEPTION 'es_append must be the first write of its transaction' USING ERRCODE = 'PE001';
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'es_append needs READ COMMITTED' USING ERRCODE = 'PE001';
    END IF;

    IF p_wait THEN
      PERFORM pg_advisory_xact_lock(locks.key)
         FROM (SELECT DISTINCT es_lock_key(s.organization_id, s.id) AS key
                 FROM jsonb_to_recordset(p_streams) AS s(organization_id text, id text) ORDER BY 1 OFFSET 0) locks;
    ELSE
      SELECT jsonb_agg(to_jsonb(s)) INTO v_refused
        FROM jsonb_to_recordset(p_streams) AS s(organization_id text, id text)
       WHERE NOT pg_try_advisory_xact_lock(es_lock_key(s.organization_id, s.id));
      IF v_refused IS NOT NULL THEN
        RAISE EXCEPTION 'another transaction holds a stream' USING ERRCODE = 'PE003', DETAIL = v_refused::text;
      END IF;
    END IF;

    SELECT jsonb_agg(jsonb_build_object('organization_id', s.organization_id, 'id', s.id)) INTO v_refused
      FROM jsonb_to_recordset(p_streams) AS s(organization_id text, id text, expected int)
     WHERE s.expected <> coalesce((SELECT e.version FROM es_event e
                                    WHERE e.organization_id = s.organization_id AND e.stream_id = s.id
                                    ORDER BY e.version DESC LIMIT 1), 0);
    IF v_refused IS NOT NULL THEN
      RAISE EXCEPTION 'a stream is not at the expected version' USING ERRCODE = 'PE002', DETAIL = v_refused::text;
    END IF;

    SELECT jsonb_agg(jsonb_build_object('organization_id', s.organization_id, 'id', s.id, 'missing', required.id))
      INTO v_refused
      FROM jsonb_to_recordset(p_streams) AS s(organization_id text, id text, requires jsonb)
     CROSS JOIN jsonb_array_elements_text(s.requires) AS required(id)
     WHERE NOT EXISTS (SELECT FROM es_event e
                        WHERE e.organization_id = s.organization_id AND e.stream_id = required.id AND e.version = 1 OFFSET 0);
    IF v_refused IS NOT NULL THEN
      RAISE EXCEPTION 'what a stream requires is not there' USING ERRCODE = 'PE005', DETAIL = v_refused::text;
    END IF;

    v_tx := pg_current_xact_id();
    INSERT INTO es_event (organization_id, stream_id, version, tx, position, stream_type, event_id, type,
                          schema_version, data, meta, occurred_at)
    SELECT e.organization_id, e.stream_id, e.version, v_tx, nextval('es_position'), e.stream_type, e.event_id, e.type,
           e.schema_version, e.data, e.meta, e.occurred_at
      FROM jsonb_to_recordset(p_events)
             AS e(organization_id text, stream_id text, version int, stream_type text, event_id text, type text,
                  schema_version int, data jsonb, meta jsonb, occurred_at timestamptz);
    RETURN p_rows;
  END $$;
`;
