import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `es_append` for one organization, which its statements name as a plain parameter (docs/adr/0018-one-organization-a-statement.md).
 * The one before stays for processes of the version before, which go on working while they are replaced. None of these parameters
 * has a default: PostgreSQL could not tell the two apart.
 */
export class AppendByOrganization1700001500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(APPEND);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION es_append(text, jsonb, jsonb, jsonb, boolean)');
  }
}

/*
 * p_streams: [{id, expected, requires?}] of the organization. p_events: their new events in order, as rows of es_event without
 * organization, tx and position. It returns p_rows, so that a statement can take the rows that follow from the events through this
 * function and cannot write them before it has run.
 * The feed is correct only because of the order of these four steps:
 * 1. No xid yet. If another write came first, this transaction could hold a smaller xid than one that appends to the same
 * stream before it. Readers, who go by xid, would then see version 3 before version 2.
 * 2. Advisory locks, in one global order so that two appends never deadlock. They assign no xid and last until commit, so
 * within a stream the order of xids is the order of versions. Without p_wait a stream that another transaction holds is
 * refused (PE003), so that other appends do not wait with it.
 * 3. Versions are checked before a position is drawn. Each statement of a volatile function at READ COMMITTED has its own
 * snapshot, so it sees what the previous lock holder committed. The check goes stream by stream and not by a join:
 * PostgreSQL takes the JSON for a hundred streams and would read a table of a few thousand as a whole. `requires` are ids
 * of other streams of the organization that must have begun; streams that are never removed need no lock.
 * 4. The xid is drawn into a variable, and one statement inserts all events, which draws their positions in the order of
 * the array.
 * PE002 (not at the expected version), PE003 and PE005 (a required stream is missing) name the streams in their detail:
 * [{id, missing?}].
 */
const APPEND = `
  CREATE FUNCTION es_append(p_organization_id text, p_streams jsonb, p_events jsonb, p_rows jsonb, p_wait boolean)
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
         FROM (SELECT DISTINCT es_lock_key(p_organization_id, s.id) AS key
                 FROM jsonb_to_recordset(p_streams) AS s(id text) ORDER BY 1 OFFSET 0) locks;
    ELSE
      SELECT jsonb_agg(to_jsonb(s)) INTO v_refused
        FROM jsonb_to_recordset(p_streams) AS s(id text)
       WHERE NOT pg_try_advisory_xact_lock(es_lock_key(p_organization_id, s.id));
      IF v_refused IS NOT NULL THEN
        RAISE EXCEPTION 'another transaction holds a stream' USING ERRCODE = 'PE003', DETAIL = v_refused::text;
      END IF;
    END IF;

    SELECT jsonb_agg(jsonb_build_object('id', s.id)) INTO v_refused
      FROM jsonb_to_recordset(p_streams) AS s(id text, expected int)
     WHERE s.expected <> coalesce((SELECT e.version FROM es_event e
                                    WHERE e.organization_id = p_organization_id AND e.stream_id = s.id
                                    ORDER BY e.version DESC LIMIT 1), 0);
    IF v_refused IS NOT NULL THEN
      RAISE EXCEPTION 'a stream is not at the expected version' USING ERRCODE = 'PE002', DETAIL = v_refused::text;
    END IF;

    SELECT jsonb_agg(jsonb_build_object('id', s.id, 'missing', required.id)) INTO v_refused
      FROM jsonb_to_recordset(p_streams) AS s(id text, requires jsonb)
     CROSS JOIN jsonb_array_elements_text(s.requires) AS required(id)
     WHERE NOT EXISTS (SELECT FROM es_event e
                        WHERE e.organization_id = p_organization_id AND e.stream_id = required.id AND e.version = 1 OFFSET 0);
    IF v_refused IS NOT NULL THEN
      RAISE EXCEPTION 'what a stream requires is not there' USING ERRCODE = 'PE005', DETAIL = v_refused::text;
    END IF;

    v_tx := pg_current_xact_id();
    INSERT INTO es_event (organization_id, stream_id, version, tx, position, stream_type, event_id, type,
                          schema_version, data, meta, occurred_at)
    SELECT p_organization_id, e.stream_id, e.version, v_tx, nextval('es_position'), e.stream_type, e.event_id, e.type,
           e.schema_version, e.data, e.meta, e.occurred_at
      FROM jsonb_to_recordset(p_events)
             AS e(stream_id text, version int, stream_type text, event_id text, type text, schema_version int,
                  data jsonb, meta jsonb, occurred_at timestamptz);
    RETURN p_rows;
  END $$;
`;
