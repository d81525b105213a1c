import { faultsOf } from '../support/database/one-organization.js';

const schema = {
  tenantTables: new Set(['sale', 'task', 'contact']),
  mutableFunctions: new Set(['now', 'to_jsonb']),
};

describe('a statement of one organization', () => {
  it.each([
    ['without tenant tables', 'SELECT version FROM es_checkpoint WHERE projection = $1'],
    ['a SELECT', 'SELECT * FROM sale WHERE organization_id = $1 AND sale_id = $2'],
    ['by an alias', 'SELECT s.* FROM sale s WHERE $1 = s.organization_id'],
    ['with a type', 'SELECT * FROM sale WHERE organization_id = $1::text'],
    [
      'a join by ON',
      'SELECT FROM sale s JOIN task t ON t.organization_id = s.organization_id WHERE s.organization_id = $1',
    ],
    [
      'a join by USING',
      'SELECT FROM sale JOIN task USING (organization_id, sale_id) WHERE organization_id = $2',
    ],
    [
      'a join by USING, of an alias',
      'SELECT FROM sale s JOIN task t USING (organization_id, sale_id) WHERE t.organization_id = $1',
    ],
    [
      'a join in WHERE',
      'SELECT FROM sale s, task t WHERE s.organization_id = t.organization_id AND t.organization_id = $1',
    ],
    [
      'an outer join',
      'SELECT FROM sale s LEFT JOIN task t ON t.organization_id = $1 AND t.sale_id = s.sale_id WHERE s.organization_id = $1',
    ],
    [
      'a subquery',
      'SELECT FROM sale WHERE organization_id = $1 AND sale_id IN (SELECT sale_id FROM task WHERE organization_id = $1)',
    ],
    [
      'rows by their ids',
      'SELECT found.* FROM unnest($2::text[]) AS wanted (id) CROSS JOIN LATERAL (SELECT * FROM sale WHERE organization_id = $1 AND sale_id = wanted.id OFFSET 0) AS found',
    ],
    ['a CTE', 'WITH own AS (SELECT * FROM sale WHERE organization_id = $1) SELECT * FROM own'],
    ['a CTE with the name of a table', 'WITH sale AS (SELECT 1) SELECT * FROM sale'],
    [
      'a UNION',
      'SELECT sale_id FROM sale WHERE organization_id = $1 UNION ALL SELECT task_id FROM task WHERE organization_id = $1',
    ],
    ['an INSERT of values', 'INSERT INTO sale (organization_id, sale_id) VALUES ($1, $2), ($1, $3)'],
    [
      'an INSERT of given rows',
      'INSERT INTO sale (organization_id, sale_id) SELECT $1, * FROM unnest($2::text[]) ON CONFLICT DO NOTHING',
    ],
    ['an UPDATE', 'UPDATE sale SET seen_at = now() WHERE organization_id = $1 AND sale_id = $2'],
    [
      'an UPDATE in a CTE',
      'WITH moved AS (UPDATE sale SET a = $2 WHERE organization_id = $1 RETURNING 1) SELECT EXISTS (SELECT FROM moved)',
    ],
    [
      'a DELETE',
      'DELETE FROM sale s USING unnest($2::text[]) AS gone (id) WHERE s.organization_id = $1 AND s.sale_id = gone.id',
    ],
    ['in a function', 'SELECT FROM sale WHERE organization_id = p_organization_id'],
    ['in an IF of a function', 'EXISTS (SELECT FROM sale WHERE organization_id = p_organization_id)'],
  ])('%s', async (_, sql) => {
    expect(await faultsOf(sql, schema)).toEqual([]);
  });
});

describe('found is a statement', () => {
  const UNBOUND = 'sale: no parameter is its organization_id';
  const NEW_ROW = 'sale: no parameter is the organization_id of the new row';

  it.each([
    ['of all organizations', 'SELECT * FROM sale WHERE sale_id = $1', UNBOUND],
    ['of several', 'SELECT * FROM sale WHERE organization_id = ANY ($1)', UNBOUND],
    [
      'of pairs',
      'SELECT * FROM sale s, unnest($1::text[], $2::text[]) AS g (organization_id, id) WHERE s.organization_id = g.organization_id',
      UNBOUND,
    ],
    [
      'of a row that is compared as a whole',
      'SELECT * FROM sale WHERE (organization_id, sale_id) = ($1, $2)',
      UNBOUND,
    ],
    ['of one or all', 'SELECT * FROM sale WHERE organization_id = $1 OR $1 IS NULL', UNBOUND],
    ['of all but one', 'SELECT * FROM sale WHERE NOT organization_id = $1', UNBOUND],
    ['that makes the parameter first', `SELECT * FROM sale WHERE organization_id = lower($1)`, UNBOUND],
    ['with a constant', `SELECT * FROM sale WHERE organization_id = 'org_1'`, UNBOUND],
    [
      'of two organizations',
      'SELECT FROM sale s, task t WHERE s.organization_id = $1 AND t.organization_id = $2',
      'names organizations by $1 and $2',
    ],
    [
      'that joins without the organization',
      'SELECT FROM task t JOIN sale s USING (sale_id) WHERE t.organization_id = $1',
      UNBOUND,
    ],
    [
      'whose outer join has it on the wrong side',
      'SELECT FROM sale s LEFT JOIN task t ON s.organization_id = $1 AND t.organization_id = $1',
      UNBOUND,
    ],
    [
      'whose subquery names it by the outer table alone',
      'SELECT FROM task t WHERE t.organization_id = $1 AND EXISTS (SELECT FROM sale s WHERE s.organization_id = t.organization_id)',
      UNBOUND,
    ],
    [
      'with one of a UNION without it',
      'SELECT FROM task WHERE organization_id = $1 UNION ALL SELECT FROM sale',
      UNBOUND,
    ],
    [
      'with a CTE without it',
      'WITH own AS (SELECT * FROM sale) SELECT FROM own, task WHERE task.organization_id = $1',
      UNBOUND,
    ],
    [
      'that inserts given organizations',
      'INSERT INTO sale (organization_id, sale_id) SELECT * FROM unnest($1::text[], $2::text[])',
      NEW_ROW,
    ],
    ['that inserts unnamed columns', 'INSERT INTO sale SELECT $1, $2', NEW_ROW],
    [
      'that inserts a row of another',
      'INSERT INTO sale (organization_id, sale_id) VALUES ($1, $2), ($3, $4)',
      'names organizations by $1 and $3',
    ],
    ['that updates all', 'UPDATE sale SET a = 1 WHERE sale_id = $1', UNBOUND],
    [
      'that updates pairs',
      'UPDATE task t SET a = 1 FROM sale s WHERE t.organization_id = $1 AND s.sale_id = t.sale_id',
      UNBOUND,
    ],
    [
      'that updates by a function of a column that is not immutable',
      'UPDATE sale SET shown = to_jsonb(name) WHERE organization_id = $1',
      'sale: to_jsonb() of a column is not immutable',
    ],
    ['that deletes all', 'DELETE FROM sale', UNBOUND],
    [
      'that deletes by ctid',
      'DELETE FROM sale WHERE organization_id = $1 AND ctid = ANY ($2)',
      'sale: by ctid',
    ],
    [
      'that merges',
      'MERGE INTO sale s USING task t ON s.organization_id = $1 AND t.organization_id = $1 WHEN MATCHED THEN DELETE',
      'sale: MERGE',
    ],
    [
      'that assigns several columns of one subquery',
      'UPDATE sale SET (a, b) = (SELECT a, b FROM task WHERE organization_id = $1) WHERE organization_id = $1',
      'sale: several columns of one subquery',
    ],
    [
      'that looks at locks',
      'SELECT FROM sale WHERE organization_id = $1 AND EXISTS (SELECT FROM pg_locks WHERE objid = sale.worker)',
      'pg_locks: the locks of another server',
    ],
    [
      'that goes by its own snapshot',
      'SELECT FROM sale WHERE organization_id = $1 AND tx < pg_snapshot_xmin(pg_current_snapshot())',
      'pg_current_snapshot(): the snapshot of another server',
    ],
    ['of all in an IF of a function', 'EXISTS (SELECT FROM sale)', UNBOUND],
  ])('%s', async (_, sql, fault) => {
    expect(await faultsOf(sql, schema)).toContain(fault);
  });
});
