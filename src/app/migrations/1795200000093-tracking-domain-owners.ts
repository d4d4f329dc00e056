import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A mailbox is connected by the browser in which a person has agreed, and a tracking domain has one owner. */
export class TrackingDomainOwners1795200000093 implements MigrationInterface {
  name = 'TrackingDomainOwners1795200000093';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

/** Also for processes of an earlier version, and in the transaction that verifies the domain. */
const FOLLOW_OWNERS = `
  CREATE FUNCTION follow_tracking_domain_owner() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO tracking_domains (workspace_id, domain, verified_at)
    VALUES (NEW.id, NEW.tracking_domain, NEW.tracking_domain_verified_at)
    ON CONFLICT (domain) DO UPDATE SET workspace_id = EXCLUDED.workspace_id, verified_at = EXCLUDED.verified_at;
    RETURN NULL;
  END $$`;

const STATEMENTS = [
  'ALTER TABLE oauth_states ADD browser_hash text',
  `ALTER TABLE workspaces ADD tracking_domain_token text NOT NULL DEFAULT gen_random_uuid()::text`,
  // The workspace that has had a domain for longest keeps it.
  `UPDATE workspaces SET tracking_domain_verified_at = NULL WHERE id IN (
     SELECT id FROM (
       SELECT id, row_number() OVER (PARTITION BY tracking_domain ORDER BY tracking_domain_verified_at, id) AS rank
       FROM workspaces WHERE tracking_domain IS NOT NULL AND tracking_domain_verified_at IS NOT NULL) verified
     WHERE rank > 1)`,
  `CREATE UNIQUE INDEX tracking_domain_owner ON workspaces (tracking_domain)
     WHERE tracking_domain_verified_at IS NOT NULL`,
  `CREATE TABLE tracking_domains (
     workspace_id bigint NOT NULL, domain text NOT NULL, verified_at timestamptz(3) NOT NULL,
     CONSTRAINT tracking_domains_pk PRIMARY KEY (workspace_id, domain)
   )`,
  'CREATE UNIQUE INDEX tracking_domain_once ON tracking_domains (domain)',
  `INSERT INTO tracking_domains (workspace_id, domain, verified_at)
   SELECT id, tracking_domain, tracking_domain_verified_at FROM workspaces
   WHERE tracking_domain IS NOT NULL AND tracking_domain_verified_at IS NOT NULL`,
  FOLLOW_OWNERS,
  `CREATE TRIGGER follow_tracking_domain_owner AFTER INSERT OR UPDATE OF tracking_domain, tracking_domain_verified_at
     ON workspaces FOR EACH ROW
     WHEN (NEW.tracking_domain IS NOT NULL AND NEW.tracking_domain_verified_at IS NOT NULL)
     EXECUTE FUNCTION follow_tracking_domain_owner()`,
];
