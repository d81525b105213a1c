// Drops the databases of a server whose names are like a pattern, on each of its nodes where it coordinates a cluster.
import pg from 'pg';

const [server, pattern] = process.argv.slice(2);

async function onServer(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

const workers = await onServer(server, async (client) => {
  const { rows } = await client.query(
    `SELECT to_regclass('pg_catalog.pg_dist_node') IS NOT NULL AS is_cluster`,
  );
  if (!rows[0].is_cluster) return [];
  const nodes = await client.query(
    `SELECT nodename AS hostname, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' AND groupid > 0`,
  );
  return nodes.rows;
});
for (const node of [{}, ...workers])
  await onServer(Object.assign(new URL(server), node).href, async (client) => {
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname LIKE $1', [
      pattern.replaceAll('_', '\\_'),
    ]);
    for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  });
