// People as a CRM has them, beside fifty other workspaces. What is known of a person is drawn by hashes, each fact by its
// own, so that no fact tells another and every run finds the same people.

/** The other workspaces, each with a hundredth of the contacts. */
const OTHERS = 50;

const FIRST_NAMES =
  `Marie Jean Camille Thomas Emma Lucas Léa Hugo Julie Pierre Sophie Nicolas Laura Antoine Manon John Mary
  James Olivia Peter Anna Martin Louise Paul Chloé Alexandre Sarah Julien Pauline Maxime Clara Mathieu Alice Romain Eva
  Oliver Emily Jack Grace Harry Sofia Marco Giulia Luca Elena Carlos Lucía Javier Marta Miguel Hans Greta Jonas Lena Felix
  Mia Noah Zoë Amélie Inès Gabriel Margaux Étienne Solène Benoît Céline Cédric Aurélie Damien Élodie Fabien Mélanie Guillaume
  Nathalie Olivier Sandrine Philippe Véronique Stéphane Isabelle Laurent Valérie Bruno Marcus Rosemarie`.split(/\s+/);
const LAST_NAME_HEADS = `Mar Dup Lef Ber Rous Gar Bon Mor Sim Lau Mich Gir Four Mer Bla Gue Bou Cle Gau Per Rob Hen Roy
  Leg Fon Car Bru Nic Mul Jac Col Vid Lem Ren Pic Hub Dum Fab Bar Ol Smi Tay Bro Wil Dav Ev Tho Wal Whi Har`.split(
  /\s+/,
);
const LAST_NAME_TAILS =
  `tin ont èvre nard seau cia net eau on rent el ard nier cier nc rin cher ment thier rot ert ry er
  rand taine pentier not olas ler quin son lor wn liams ies ans mas ker te ris`.split(/\s+/);
const LEVELS = ['Head of', 'Director of', 'VP', 'Manager,', 'Senior Manager,', 'Junior', 'Lead', 'Responsable'];
const TRADES = [
  'Sales',
  'Marketing',
  'Engineering',
  'Finance',
  'Human Resources',
  'Operations',
  'Procurement',
  'Legal',
];
const COMPANY_HEADS =
  `Acme Nova Blue Green Alpha Delta Omega Orion Atlas Vertex Summit Quantum Pixel Cedar Maple Stone River
  Harbor North South East West Golden Silver Iron Copper Crystal Solar Lunar Stellar Arctic Pacific Baltic Celtic Nordic
  Iberia Gallia Roma Urban Metro Rural Prime First Grand Noble Royal Union Central Global Local Digital Smart Bright Swift
  Rapid Clear Pure Fresh Vivid Bold True`.split(/\s+/);
const COMPANY_TAILS =
  `Systems Tech Foods Bank Energy Media Travel Logistics Health Pharma Motors Steel Textiles Paper Print
  Design Studio Labs Works Partners Capital Insurance Retail Stores Farms Homes Builders Networks Telecom Cloud Data
  Security Robotics Games Sports Fashion Cosmetics`.split(/\s+/);
const COMPANY_ENDS = ['', ' Group', ' France', ' UK', ' Europe', ' GmbH', ' SA', ' Ltd', ' International', ' & Co'];
const INDUSTRIES =
  `Software|Banking|Insurance|Retail|Health care|Education|Food|Logistics|Construction|Energy|Media|Travel|
  Telecommunications|Automotive|Aerospace|Chemicals|Textiles|Agriculture|Real estate|Public sector`
    .split('|')
    .map((industry) => industry.trim());
const FREE_MAIL = [
  'gmail.com',
  'gmail.com',
  'gmail.com',
  'outlook.com',
  'yahoo.fr',
  'orange.fr',
  'proton.me',
  'gmx.de',
];
const TOP_LEVEL = ['com', 'com', 'com', 'fr', 'fr', 'io', 'co.uk', 'de'];

/** Per mille of the contacts that each tag and each list has. */
export const TAG_SHARES = [5, 5, 10, 10, 20, 20, 30, 40, 50, 60, 80, 100];
export const LIST_SHARES = [10, 20, 50, 100, 200, 400];

/** A number from 0 up to `sides`, the same for the same person and fact; and one from 0 to 1, mostly small. */
const DRAWS = [
  `CREATE FUNCTION pg_temp.drawn(person bigint, fact bigint, sides bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
   RETURN (hashint8extended(person, fact) % sides + sides) % sides`,
  `CREATE FUNCTION pg_temp.small(person bigint, fact bigint) RETURNS double precision LANGUAGE sql IMMUTABLE
   RETURN power(pg_temp.drawn(person, fact, 1000000) / 1000000.0::double precision, 1.7)`,
];

const COMPANY_NAME = (number) => `
  ($3::text[])[1 + (${number} * 7919 + 13) % 61] || ' ' || ($4::text[])[1 + (${number} * 7919 + 13) / 61 % 37]
    || ($5::text[])[1 + (${number} * 7919 + 13) / 2257 % 10]`;

const COMPANIES = `
  INSERT INTO companies (workspace_id, name) SELECT $1, ${COMPANY_NAME('n')} FROM generate_series(1, $2::bigint) n`;

const GROUPS = [
  `INSERT INTO custom_fields (workspace_id, key, label, type) VALUES
     ($1, 'industry', 'Industry', 'text'), ($1, 'score', 'Score', 'number'),
     ($1, 'vip', 'VIP', 'boolean'), ($1, 'renewal', 'Renewal', 'date')`,
  `INSERT INTO tags (workspace_id, name) SELECT $1, 'Tag ' || n FROM generate_series(1, ${TAG_SHARES.length}) n`,
  `INSERT INTO lists (workspace_id, name) SELECT $1, 'List ' || n FROM generate_series(1, ${LIST_SHARES.length}) n`,
];

const CONTACTS = `
  WITH drawn AS MATERIALIZED (
    SELECT n, $1::bigint * 10000000 + n AS person,
      now() - interval '730 days' * (1 - (n - n % 200)::double precision / $2)
        + make_interval(secs => CASE WHEN n / 200 % 4 = 0 THEN n % 200 ELSE 0 END) AS at
    FROM generate_series(0, $2::bigint - 1) n
  ), named AS MATERIALIZED (
    SELECT drawn.*,
      ($7::text[])[1 + floor(cardinality($7::text[]) * pg_temp.small(person, 1))] AS first_name,
      ($8::text[])[1 + floor(cardinality($8::text[]) * pg_temp.small(person, 2))]
        || ($9::text[])[1 + floor(cardinality($9::text[]) * pg_temp.small(person, 3))] AS last_name,
      CASE WHEN pg_temp.drawn(person, 4, 10) < 6 THEN pg_temp.drawn(person, 5, $6) END AS employer,
      1 + $6 + pg_temp.drawn(person, 6, $6 * 7) AS other_employer,
      pg_temp.drawn(person, 7, 100) AS mail_kind, pg_temp.drawn(person, 8, 1000) AS standing
    FROM drawn
  ), addressed AS (
    SELECT named.*, ${COMPANY_NAME('coalesce(1 + employer, other_employer)')} AS employer_name,
      translate(lower(first_name || '.' || last_name), 'áéèëêíîôûç', 'aeeeeiiouc') AS local_part
    FROM named
  ), placed AS (
    SELECT addressed.*, CASE WHEN mail_kind < 30 THEN ($10::text[])[1 + mail_kind % 8]
      ELSE regexp_replace(lower(employer_name), '[^a-z]', '', 'g')
        || '.' || ($11::text[])[1 + coalesce(1 + employer, other_employer) % 8] END AS domain
    FROM addressed
  )
  INSERT INTO contacts (workspace_id, email, first_name, last_name, company, company_id, job_title, phone, linkedin_url,
    lifecycle_stage, status, custom_fields, created_at, updated_at, subscribed_at, unsubscribed_at)
  SELECT $1,
    local_part || CASE WHEN row_number() OVER (PARTITION BY local_part, domain ORDER BY n) > 1 THEN n::text ELSE '' END
      || '@' || domain,
    first_name, last_name,
    CASE WHEN employer IS NOT NULL OR pg_temp.drawn(person, 9, 10) < 6 THEN employer_name
      WHEN pg_temp.drawn(person, 10, 20) = 0 THEN '' END,
    $14::bigint + employer,
    CASE WHEN pg_temp.drawn(person, 11, 4) > 0 THEN
      ($12::text[])[1 + pg_temp.drawn(person, 12, 8)] || ' ' || ($13::text[])[1 + pg_temp.drawn(person, 13, 8)] END,
    CASE WHEN pg_temp.drawn(person, 14, 5) < 2 THEN
      (ARRAY['+336', '+337', '+4477', '+49151'])[1 + pg_temp.drawn(person, 15, 4)]
        || lpad(pg_temp.drawn(person, 16, 100000000)::text, 8, '0') END,
    CASE WHEN pg_temp.drawn(person, 17, 10) < 7 THEN
      'https://www.linkedin.com/in/' || lower(first_name || '-' || last_name) || '-' || to_hex(person) END,
    (ARRAY['subscriber', 'subscriber', 'subscriber', 'subscriber', 'subscriber', 'subscriber', 'subscriber', 'subscriber',
      'lead', 'lead', 'lead', 'lead', 'lead', 'marketing_qualified_lead', 'marketing_qualified_lead',
      'sales_qualified_lead', 'opportunity', 'customer', 'customer', 'other'])[1 + pg_temp.drawn(person, 18, 20)],
    CASE WHEN standing < 40 THEN 'unsubscribed' WHEN standing < 57 THEN 'bounced' WHEN standing < 60 THEN 'complained'
      ELSE 'active' END,
    jsonb_strip_nulls(jsonb_build_object(
      'industry', CASE WHEN pg_temp.drawn(person, 19, 10) < 8 THEN
        ($15::text[])[1 + floor(cardinality($15::text[]) * pg_temp.small(person, 20))]
          || (ARRAY['', '', ' services', ' consulting'])[1 + pg_temp.drawn(person, 21, 4)] END,
      'score', CASE WHEN pg_temp.drawn(person, 22, 2) = 0 THEN pg_temp.drawn(person, 23, 1001) / 10.0 END,
      'vip', CASE WHEN pg_temp.drawn(person, 24, 10) < 3 THEN pg_temp.drawn(person, 25, 10) = 0 END,
      'renewal', CASE WHEN pg_temp.drawn(person, 26, 4) = 0
        THEN to_char(current_date + pg_temp.drawn(person, 27, 730)::int, 'YYYY-MM-DD') END)),
    at, at + (now() - at) * pg_temp.drawn(person, 28, 1000) / 1000, at,
    CASE WHEN standing < 40 THEN at + (now() - at) * pg_temp.drawn(person, 29, 1000) / 1000 END
  FROM placed ORDER BY n`;

const members = (table, groups, column, shares) => `
  INSERT INTO ${table} (workspace_id, ${column}, contact_id, contact_created_at)
  SELECT $1, owner.id, contact.id, contact.created_at
  FROM contacts contact
  CROSS JOIN (SELECT id, row_number() OVER (ORDER BY id) AS nth FROM ${groups} WHERE workspace_id = $1) owner
  WHERE contact.workspace_id = $1
    AND pg_temp.drawn(contact.id, 100 + owner.id, 1000) < ('{${shares}}'::int[])[owner.nth]
  ORDER BY contact.id`;

async function populate(client, workspaceId, count) {
  const companies = Math.max(1, Math.floor(count / 200));
  const names = [COMPANY_HEADS, COMPANY_TAILS, COMPANY_ENDS];
  await client.query(COMPANIES, [workspaceId, companies, ...names]);
  for (const statement of GROUPS) await client.query(statement, [workspaceId]);
  const { rows } = await client.query('SELECT min(id) AS id FROM companies WHERE workspace_id = $1', [workspaceId]);
  await client.query(CONTACTS, [
    ...[workspaceId, count, ...names, companies, FIRST_NAMES, LAST_NAME_HEADS, LAST_NAME_TAILS],
    ...[FREE_MAIL, TOP_LEVEL, LEVELS, TRADES, rows[0].id, INDUSTRIES],
  ]);
  await client.query(members('tag_members', 'tags', 'tag_id', TAG_SHARES), [workspaceId]);
  await client.query(members('list_members', 'lists', 'list_id', LIST_SHARES), [workspaceId]);
}

/** Fills the stage's workspace with `count` contacts, between 25 and 25 others of a hundredth of that each. */
export async function seedPeople(stage, count) {
  const client = await stage.database.connect();
  try {
    for (const statement of DRAWS) await client.query(statement);
    const { rows } = await client.query(
      `INSERT INTO workspaces (name) SELECT 'Other ' || n FROM generate_series(1, ${OTHERS}) n RETURNING id`,
    );
    const others = rows.map(({ id }) => id);
    for (const id of others.slice(0, OTHERS / 2)) await populate(client, id, Math.ceil(count / 100));
    await populate(client, stage.workspaceId, count);
    for (const id of others.slice(OTHERS / 2)) await populate(client, id, Math.ceil(count / 100));
    await client.query('VACUUM ANALYZE contacts, tag_members, list_members, ordered_values, companies, record_counts');
  } finally {
    client.release();
  }
}
