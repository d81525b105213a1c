import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the event store needs where its tables are distributed over nodes (docs/adr/0027-citus.md). Elsewhere nothing changes. */
export class Cluster1795785000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WATERMARK);
    await runner.query(APPEND_ACROSS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION es_watermark()');
  }
}

/*
 * The xid below which every transaction has ended: on a cluster those, too, that have committed here and not yet on all of their
 * nodes. Such a one is in no snapshot any more, but holds the lock of its xid until its nodes have answered. So the locks are looked
 * at after the snapshot is taken. They have the lower half of an xid, of which the whole is the one nearest to the snapshot.
 */
const WATERMARK = `
  CREATE FUNCTION es_watermark() RETURNS xid8 LANGUAGE plpgsql AS $$
  DECLARE
    v_xmin xid8 := pg_snapshot_xmin(pg_current_snapshot());
    v_near bigint;
    v_held bigint;
  BEGIN
    IF to_regclass('pg_catalog.pg_dist_node') IS NULL THEN
      RETURN v_xmin;
    END IF;
    v_near := v_xmin::text::bigint + (1::bigint << 31);
    SELECT min(v_near - mod(mod(v_near - transactionid::text::bigint, 1::bigint << 32) + (1::bigint << 32), 1::bigint << 32))
      INTO v_held
      FROM pg_locks WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted;
    RETURN least(v_xmin, v_held::text::xid8);
  END $$;
`;

/* The append to streams of several organizations, whose versions are checked organization by organization, each on its node. */
const APPEND_ACROSS = `
  CREATE OR REPLACE FUNCTION es_append(p_streams jsonb, p_events jsonb, p_rows jsonb DEFAULT NULL, p_wait boolean DEFAULT true)
  RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    v_tx xid8;
    v_refused jsonb;
    v_organization_id text;
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

    FOR v_organization_id IN
      SELECT DISTINCT s.organization_id FROM jsonb_to_recordset(p_streams) AS s(organization_id text) ORDER BY 1
    LOOP
      SELECT jsonb_agg(jsonb_build_object('organization_id', s.organization_id, 'id', s.id)) INTO v_refused
        FROM jsonb_to_recordset(p_streams) AS s(organization_id text, id text, expected int)
       WHERE s.organization_id = v_organization_id
         AND s.expected <> coalesce((SELECT e.version FROM es_event e
                                      WHERE e.organization_id = v_organization_id AND e.stream_id = s.id
                                      ORDER BY e.version DESC LIMIT 1), 0);
      IF v_refused IS NOT NULL THEN
        RAISE EXCEPTION 'a stream is not at the expected version' USING ERRCODE = 'PE002', DETAIL = v_refused::text;
      END IF;

      SELECT jsonb_agg(jsonb_build_object('organization_id', s.organization_id, 'id', s.id, 'missing', required.id))
        INTO v_refused
        FROM jsonb_to_recordset(p_streams) AS s(organization_id text, id text, requires jsonb)
       CROSS JOIN jsonb_array_elements_text(s.requires) AS required(id)
       WHERE s.organization_id = v_organization_id
         AND NOT EXISTS (SELECT FROM es_event e
                          WHERE e.organization_id = v_organization_id AND e.stream_id = required.id AND e.version = 1 OFFSET 0);
      IF v_refused IS NOT NULL THEN
        RAISE EXCEPTION 'what a stream requires is not there' USING ERRCODE = 'PE005', DETAIL = v_refused::text;
      END IF;
    END LOOP;

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
