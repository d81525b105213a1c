import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `es_append` asks once for all that it checks: on a cluster each question goes to the node of the organization. Otherwise it is the one of
 * `StreamsThatEnd`, which tells of its steps.
 */
export class AppendChecks1795790600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(APPEND);
  }

  // The function before it refuses and writes the same.
  async down(): Promise<void> {}
}

const APPEND = `
  CREATE OR REPLACE FUNCTION es_append(p_organization_id text, p_streams jsonb, p_events jsonb, p_rows jsonb, p_wait boolean)
  RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    v_tx xid8;
    v_refused jsonb;
    v_missing jsonb;
    v_line timestamptz;
  BEGIN
    IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
      RAISE EXCEPTION 'es_append must be the first write of its transaction' USING ERRCODE = 'PE001';
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'es_append needs READ COMMITTED' USING ERRCODE = 'PE001';
    END IF;

    IF p_wait THEN
      PERFORM CASE WHEN locks.is_shared THEN pg_advisory_xact_lock_shared(locks.key)
                   ELSE pg_advisory_xact_lock(locks.key) END
         FROM (SELECT es_lock_key(p_organization_id, held.id) AS key, bool_and(held.is_shared) AS is_shared
                 FROM (SELECT s.id, false AS is_shared FROM jsonb_to_recordset(p_streams) AS s(id text)
                        UNION ALL
                       SELECT required.id, true FROM jsonb_to_recordset(p_streams) AS s(requires jsonb)
                        CROSS JOIN jsonb_array_elements_text(s.requires) AS required(id)) held
                GROUP BY 1 ORDER BY 1 OFFSET 0) locks;
      PERFORM pg_advisory_xact_lock_shared(es_lock_key(p_organization_id, 'line'));
    ELSE
      SELECT jsonb_agg(jsonb_build_object('id', s.id)) INTO v_refused
        FROM jsonb_to_recordset(p_streams) AS s(id text)
       WHERE NOT pg_try_advisory_xact_lock(es_lock_key(p_organization_id, s.id));
      IF v_refused IS NULL THEN
        SELECT jsonb_agg(jsonb_build_object('id', s.id)) INTO v_refused
          FROM jsonb_to_recordset(p_streams) AS s(id text, requires jsonb)
         CROSS JOIN jsonb_array_elements_text(s.requires) AS required(id)
         WHERE NOT pg_try_advisory_xact_lock_shared(es_lock_key(p_organization_id, required.id));
      END IF;
      IF v_refused IS NULL AND NOT pg_try_advisory_xact_lock_shared(es_lock_key(p_organization_id, 'line')) THEN
        SELECT jsonb_agg(jsonb_build_object('id', s.id)) INTO v_refused
          FROM jsonb_to_recordset(p_streams) AS s(id text);
      END IF;
      IF v_refused IS NOT NULL THEN
        RAISE EXCEPTION 'another transaction holds a stream' USING ERRCODE = 'PE003', DETAIL = v_refused::text;
      END IF;
    END IF;

    SELECT (SELECT jsonb_agg(jsonb_build_object('id', s.id))
              FROM jsonb_to_recordset(p_streams) AS s(id text, expected int)
             WHERE s.expected <> coalesce((SELECT e.version FROM es_event e
                                            WHERE e.organization_id = p_organization_id AND e.stream_id = s.id
                                            ORDER BY e.version DESC LIMIT 1), 0)),
           (SELECT jsonb_agg(jsonb_build_object('id', s.id, 'missing', required.id))
              FROM jsonb_to_recordset(p_streams) AS s(id text, requires jsonb)
             CROSS JOIN jsonb_array_elements_text(s.requires) AS required(id)
             WHERE coalesce((SELECT coalesce(e.ends, false) FROM es_event e
                              WHERE e.organization_id = p_organization_id AND e.stream_id = required.id
                              ORDER BY e.version DESC LIMIT 1), true)),
           (SELECT line.at FROM es_line line WHERE line.organization_id = p_organization_id)
      INTO v_refused, v_missing, v_line;
    IF v_refused IS NOT NULL THEN
      RAISE EXCEPTION 'a stream is not at the expected version' USING ERRCODE = 'PE002', DETAIL = v_refused::text;
    END IF;
    IF v_missing IS NOT NULL THEN
      RAISE EXCEPTION 'what a stream requires is not there' USING ERRCODE = 'PE005', DETAIL = v_missing::text;
    END IF;
    IF v_line >= (SELECT min(e.occurred_at) FROM jsonb_to_recordset(p_events) AS e(occurred_at timestamptz)) THEN
      RAISE EXCEPTION 'an event is not after the line of its organization' USING ERRCODE = 'PE006',
        DETAIL = to_char(v_line AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
    END IF;

    v_tx := pg_current_xact_id();
    INSERT INTO es_event (organization_id, stream_id, version, tx, position, stream_type, event_id, type,
                          schema_version, data, meta, occurred_at, ends)
    SELECT p_organization_id, e.stream_id, e.version, v_tx, nextval('es_position'), e.stream_type, e.event_id, e.type,
           e.schema_version, e.data, e.meta, e.occurred_at, e.ends
      FROM jsonb_to_recordset(p_events)
             AS e(stream_id text, version int, stream_type text, event_id text, type text, schema_version int,
                  data jsonb, meta jsonb, occurred_at timestamptz, ends boolean);
    RETURN p_rows;
  END $$;
`;
