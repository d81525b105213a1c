import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Streams, events and checkpoints, and `es_append`, the only way events are written (docs/adr/0001-event-store.md). */
export class EventStore1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE es_stream (
        organization_id text COLLATE "C" NOT NULL,
        stream_id       text COLLATE "C" NOT NULL,
        stream_type     text NOT NULL,
        version         int NOT NULL,
        PRIMARY KEY (organization_id, stream_id)
      );
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
        status     text NOT NULL,
        updated_at timestamptz(6) NOT NULL
      );
    `);
    await runner.query(APPEND);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION es_append(text, jsonb, jsonb, timestamptz, jsonb);
      DROP FUNCTION es_lock(text, text[]);
      DROP FUNCTION es_lock_key(text, text);
      DROP TABLE es_checkpoint, es_event, es_stream;
      DROP SEQUENCE es_position;
    `);
  }
}

/*
 * p_streams: [{id, type, expected, events: [{id, type, schema_version, data}]}]. Gives p_rows back, so that a statement
 * can take the rows that follow from the events through this function and cannot write them before it has run.
 * The order of the four steps is what the feed's correctness rests on:
 * 1. No xid yet. Were another write first, this transaction could hold a smaller xid than one that appends to
 *    the same stream before it, and readers, who go by xid, would see version 3 before version 2.
 * 2. Advisory locks, in one global order so that two appends never deadlock. They assign no xid and last until
 *    commit, so within a stream xid order is version order.
 * 3. Versions are checked before a position is drawn; each statement of a volatile function at READ COMMITTED has
 *    its own snapshot, so it sees what the previous lock holder committed. Stream by stream, and not by a join:
 *    PostgreSQL takes the JSON for a hundred streams, and would read a table of some thousands as a whole.
 * 4. The xid is drawn into a variable, and all events are inserted by one statement.
 */
const APPEND = `
  CREATE FUNCTION es_lock_key(p_organization_id text, p_key text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended(p_organization_id || '/' || p_key, 0)
  $$;

  CREATE FUNCTION es_lock(p_organization_id text, p_keys text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(locks.key)
       FROM (SELECT DISTINCT es_lock_key(p_organization_id, k) AS key FROM unnest(p_keys) k ORDER BY 1 OFFSET 0) locks;
  END $$;

  CREATE FUNCTION es_append(p_organization_id text, p_streams jsonb, p_meta jsonb, p_occurred_at timestamptz,
                            p_rows jsonb DEFAULT NULL)
  RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    v_tx xid8;
    v_stream text;
  BEGIN
    IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
      RAISE EXCEPTION 'es_append must be the first write of its transaction' USING ERRCODE = 'PE001';
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'es_append needs READ COMMITTED' USING ERRCODE = 'PE001';
    END IF;

    PERFORM pg_advisory_xact_lock(locks.key)
       FROM (SELECT DISTINCT es_lock_key(p_organization_id, s->>'id') AS key FROM jsonb_array_elements(p_streams) s
              ORDER BY 1 OFFSET 0) locks;

    SELECT s.id INTO v_stream
      FROM jsonb_to_recordset(p_streams) AS s(id text, expected int)
     WHERE s.expected <> coalesce((SELECT e.version FROM es_stream e
                                    WHERE e.organization_id = p_organization_id AND e.stream_id = s.id), 0)
     LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION 'stream % is not at the expected version', v_stream USING ERRCODE = 'PE002';
    END IF;

    v_tx := pg_current_xact_id();
    INSERT INTO es_event (organization_id, stream_id, version, tx, position, stream_type, event_id, type,
                          schema_version, data, meta, occurred_at)
    SELECT p_organization_id, n.stream_id, n.version, v_tx, nextval('es_position'), n.stream_type, n.event->>'id',
           n.event->>'type', (n.event->>'schema_version')::int, n.event->'data', p_meta, p_occurred_at
      FROM (SELECT s->>'id' AS stream_id, s->>'type' AS stream_type, e.event, (s->>'expected')::int + e.nr AS version
              FROM jsonb_array_elements(p_streams) WITH ORDINALITY AS st(s, nr),
                   jsonb_array_elements(s->'events') WITH ORDINALITY AS e(event, nr)
             ORDER BY st.nr, e.nr
            OFFSET 0) n;
    INSERT INTO es_stream (organization_id, stream_id, stream_type, version)
    SELECT p_organization_id, s->>'id', s->>'type', (s->>'expected')::int + jsonb_array_length(s->'events')
      FROM jsonb_array_elements(p_streams) s
     WHERE jsonb_array_length(s->'events') > 0
    ON CONFLICT (organization_id, stream_id) DO UPDATE SET version = excluded.version;
    RETURN p_rows;
  END $$;
`;
