// The hand-written statements of a segment: every way to say it that may be the fastest, and a trial of which one is.

/** A way is given up that takes so many times as long as the best so far. */
const HOPELESS = 3;
const LONGEST_TRIAL_MS = 30_000;
const PAGE_SIZE = 15;
const SAMPLE_SIZE = 5;

const NEWEST = 'created_at DESC, id DESC';

const COLUMNS = `contact.id, contact.email, contact.first_name, contact.last_name, contact.company, contact.company_id,
  contact.phone, contact.job_title, contact.linkedin_url, contact.lifecycle_stage, contact.status, contact.custom_fields,
  contact.subscribed_at, contact.unsubscribed_at, contact.created_at, contact.updated_at`;

const groupsOf = (group, columns) => `
  (SELECT coalesce(json_agg(json_build_object(${columns.map((column) => `'${column}', own.${column}`).join(', ')})
     ORDER BY own.id), '[]')
   FROM best.${group}_members member
   JOIN ${group}s own ON own.workspace_id = member.workspace_id AND own.id = member.${group}_id
   WHERE member.workspace_id = contact.workspace_id AND member.contact_id = contact.id) AS ${group}s`;

const read = (cut, workspaceId) => `
  SELECT ${COLUMNS},
    ${groupsOf('tag', ['id', 'name', 'color', 'created_at', 'updated_at'])},
    ${groupsOf('list', ['id', 'name', 'description', 'created_at', 'updated_at'])}
  FROM (${cut}) cut JOIN best.contacts contact ON contact.workspace_id = ${workspaceId} AND contact.id = cut.id
  ORDER BY contact.created_at DESC, contact.id DESC`;

const countings = ({ found, counts }) => [
  ...found.map((select) => `SELECT count(*) AS total FROM (${select}) found`),
  ...counts.map((count) => `SELECT (${count}) AS total`),
];

/** Along the index of the order, or all of them and then the newest: which is better depends on how many there are. */
const cuts = ({ found }, size) =>
  found.flatMap((select) => [
    `SELECT id FROM (${select}) found ORDER BY ${NEWEST} LIMIT ${size}`,
    `WITH found AS MATERIALIZED (${select}) SELECT id FROM found ORDER BY ${NEWEST} LIMIT ${size}`,
  ]);

/** All of them found once, and then both counted and cut. */
const both = ({ found }, size, workspaceId) =>
  found.map(
    (select) => `
      WITH found AS MATERIALIZED (${select})
      SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM found) counted
      LEFT JOIN (${read(`SELECT id FROM found ORDER BY ${NEWEST} LIMIT ${size}`, workspaceId)}) page ON TRUE
      ORDER BY ${NEWEST}`,
  );

/**
 * The fastest statements for a segment, as tried out now.
 * @returns lists of statements that answer together: one gives `total`, one the contacts, or one alone gives both
 */
export async function handWritten(client, segment, workspaceId) {
  const count = await fastest(client, countings(segment));
  return {
    count: [count.text],
    page: await fastestPage(client, segment, count, { workspaceId, size: PAGE_SIZE }),
    preview: await fastestPage(client, segment, count, { workspaceId, size: SAMPLE_SIZE }),
  };
}

async function fastestPage(client, segment, count, { workspaceId, size }) {
  const apart = await fastest(
    client,
    cuts(segment, size).map((cut) => read(cut, workspaceId)),
  );
  const together = await fastest(client, both(segment, size, workspaceId));
  return together.ms < count.ms + apart.ms ? [together.text] : [count.text, apart.text];
}

async function fastest(client, texts) {
  let best = { ms: Infinity };
  for (const text of texts) {
    const longest = Math.ceil(Math.min(LONGEST_TRIAL_MS, HOPELESS * best.ms + 10));
    await client.query(`SET statement_timeout = ${longest}`);
    const first = await tried(client, text);
    const others = first < Infinity ? [await tried(client, text), await tried(client, text)] : [];
    const ms = Math.min(first, ...others);
    if (ms < best.ms) best = { ms, text };
  }
  await client.query('RESET statement_timeout');
  return best;
}

async function tried(client, text) {
  const start = performance.now();
  try {
    await client.query(text);
  } catch (error) {
    const QUERY_CANCELED = '57014';
    if (error.code !== QUERY_CANCELED) throw error;
    return Infinity;
  }
  return performance.now() - start;
}
