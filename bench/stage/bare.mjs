// The limit: node:http and pg alone, with the token checked and the same rows read.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const [databaseUrl, workspaceId] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 12 });
const FIELDS = `id, email, first_name, last_name, company, company_id, phone, job_title, linkedin_url, lifecycle_stage,
  status, custom_fields, subscribed_at, unsubscribed_at, created_at, updated_at`;

const authorized = async (request) => {
  const hash = createHash('sha256').update(request.headers.authorization.slice(7)).digest('hex');
  const { rows } = await pool.query({
    name: 'token',
    text: 'SELECT id FROM api_tokens WHERE hash = $1',
    values: [hash],
  });
  return rows.length === 1;
};

async function answer(request) {
  if (request.method === 'POST') {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { email, first_name: firstName } = JSON.parse(Buffer.concat(chunks).toString());
    const { rows } = await pool.query({
      name: 'insert',
      text: `INSERT INTO contacts (workspace_id, email, first_name) VALUES ($1, $2, $3) RETURNING ${FIELDS}`,
      values: [workspaceId, email, firstName],
    });
    return rows[0];
  }
  const id = /\/contacts\/(\d+)/.exec(request.url)?.[1];
  if (id) {
    const text = `SELECT ${FIELDS} FROM contacts WHERE workspace_id = $1 AND id = $2`;
    return { data: (await pool.query({ name: 'one', text, values: [workspaceId, id] })).rows[0] };
  }
  const page = await pool.query({
    name: 'page',
    text: `SELECT ${FIELDS} FROM contacts WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT 15`,
    values: [workspaceId],
  });
  const total = await pool.query({
    name: 'total',
    text: `SELECT sum(total) FROM record_counts WHERE workspace_id = $1 AND counted = 'contacts' AND owner_id = 0`,
    values: [workspaceId],
  });
  return { data: page.rows, meta: { total: Number(total.rows[0].sum) } };
}

const server = createServer(async (request, response) => {
  try {
    const body = (await authorized(request)) ? await answer(request) : { error: 'Unauthorized' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  } catch (error) {
    // The load ends by cutting off what is under way.
    if (error.code !== 'ECONNRESET') throw error;
  }
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
