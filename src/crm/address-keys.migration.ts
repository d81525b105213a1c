import type { MigrationInterface, QueryRunner } from 'typeorm';
import { emailKey } from './identities.js';
import { domainKey } from './domain.js';

/**
 * Gives companies a key to find them by, however their domain is spelt, and contacts with an address beyond ASCII the key
 * that it has now. ASCII addresses and domains have the key that they had.
 */
export class AddressKeys1700001300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE company ADD COLUMN domain_key text COLLATE "C";
      DROP INDEX company_by_domain;
      CREATE INDEX company_by_domain
        ON company (organization_id, md5(coalesce(domain_key, domain)), created_at DESC, company_id DESC)
        WHERE domain IS NOT NULL;
    `);
    await refill(runner, 'company', `domain !~ '^[a-z0-9.-]*[a-z0-9-]$'`, ({ domain }) => domainKey(domain));
    await refill(runner, 'contact', `email !~ '^[ -~]*[!-~]$' OR email LIKE '%.'`, ({ email }) =>
      emailKey(email),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX company_by_domain;
      ALTER TABLE company DROP COLUMN domain_key;
      CREATE INDEX company_by_domain ON company (organization_id, md5(domain), created_at DESC, company_id DESC)
        WHERE domain IS NOT NULL;
    `);
  }
}

const FILLED = { company: ['domain', 'domain_key'], contact: ['email', 'email_key'] } as const;

interface Row {
  organization_id: string;
  id: string;
  domain: string;
  email: string;
}

/** Writes the keys of the rows that the condition picks. */
async function refill(
  runner: QueryRunner,
  table: keyof typeof FILLED,
  condition: string,
  keyOf: (row: Row) => string | null,
): Promise<void> {
  const [source, target] = FILLED[table];
  const rows = (await runner.query(
    `SELECT organization_id, ${table}_id AS id, ${source} FROM ${table} WHERE ${condition}`,
  )) as Row[];
  await runner.query(
    `UPDATE ${table} t SET ${target} = filled.key
       FROM unnest($1::text[], $2::text[], $3::text[]) AS filled(organization_id, id, key)
      WHERE t.organization_id = filled.organization_id AND t.${table}_id = filled.id`,
    [rows.map(({ organization_id }) => organization_id), rows.map(({ id }) => id), rows.map(keyOf)],
  );
}
