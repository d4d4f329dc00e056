// The tables of the hand-written side: copies in a schema of their own, with every index that any of its statements can
// use. A service that knew which custom fields its users will make would have them as columns, so here they are columns.

const TABLES = [
  'CREATE SCHEMA best',
  `CREATE TABLE best.contacts AS
   SELECT workspace_id, id, created_at, updated_at, email, first_name, last_name, company, company_id, phone, job_title,
     linkedin_url, lifecycle_stage, status, custom_fields, subscribed_at, unsubscribed_at,
     concat_ws(' ', first_name, last_name) AS full_name, custom_fields ->> 'industry' AS industry,
     (custom_fields ->> 'score')::double precision AS score, (custom_fields ->> 'vip')::boolean AS vip,
     (custom_fields ->> 'renewal')::date AS renewal
   FROM contacts`,
  'CREATE TABLE best.tag_members AS SELECT workspace_id, tag_id, contact_id, contact_created_at FROM tag_members',
  'CREATE TABLE best.list_members AS SELECT workspace_id, list_id, contact_id, contact_created_at FROM list_members',
];

/** Columns whose equality, order or emptiness is asked; with the page's order behind them. */
const COMPARED = [
  ...['first_name', 'last_name', 'company', 'job_title', 'linkedin_url', 'phone', 'status', 'lifecycle_stage'],
  ...['company_id', 'updated_at', 'subscribed_at', 'unsubscribed_at', 'industry', 'score', 'vip', 'renewal'],
];
const SEARCHED = ['email', 'first_name', 'last_name', 'full_name', 'company', 'job_title', 'phone', 'linkedin_url'];

const INDEXES = [
  'UNIQUE INDEX ON best.contacts (workspace_id, id)',
  'UNIQUE INDEX ON best.contacts (workspace_id, created_at, id)',
  'UNIQUE INDEX ON best.contacts (workspace_id, email)',
  'INDEX ON best.contacts (workspace_id, status, lifecycle_stage, created_at, id)',
  ...COMPARED.map((column) => `INDEX ON best.contacts (workspace_id, ${column}, created_at, id)`),
  // Beginnings and ends. An index answers alone only where it holds the column itself too.
  'INDEX ON best.contacts (workspace_id, email text_pattern_ops)',
  'INDEX ON best.contacts (workspace_id, reverse(email) text_pattern_ops) INCLUDE (email)',
  ...['last_name', 'phone', 'company', 'industry'].map(
    (column) => `INDEX ON best.contacts (workspace_id, lower(${column}) text_pattern_ops) INCLUDE (${column})`,
  ),
  ...[...SEARCHED, 'industry'].map((column) => `INDEX ON best.contacts USING gin (lower(${column}) gin_trgm_ops)`),
  ...['company', 'phone', 'job_title', 'linkedin_url', 'industry'].flatMap((column) => [
    `INDEX ON best.contacts (workspace_id, created_at, id) WHERE coalesce(${column}, '') = ''`,
    `INDEX ON best.contacts (workspace_id, created_at, id) WHERE coalesce(${column}, '') <> ''`,
  ]),
  ...['tag', 'list'].flatMap((group) => [
    `UNIQUE INDEX ON best.${group}_members (workspace_id, contact_id, ${group}_id)`,
    `UNIQUE INDEX ON best.${group}_members (workspace_id, ${group}_id, contact_id)`,
    `INDEX ON best.${group}_members (workspace_id, ${group}_id, contact_created_at, contact_id)`,
  ]),
];

/** Copies the stage's contacts. Both sides then lie on disk as they would after a restore: in order, without gaps. */
export async function copyTables(stage) {
  const client = await stage.database.connect();
  try {
    await client.query(`SET maintenance_work_mem = '1GB'`);
    for (const statement of TABLES) await client.query(statement);
    for (const index of INDEXES) await client.query(`CREATE ${index}`);
    await client.query('REINDEX TABLE contacts');
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release();
  }
}
