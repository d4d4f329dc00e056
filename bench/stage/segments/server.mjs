// The limit: node:http and pg alone, with the token checked, the statements written by hand, and the same JSON out.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const [databaseUrl, workspaceId, publicUrl] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
// Without a database there is nothing left to do.
pool.on('error', () => process.exit());
// IDs and counts: JSON has no others.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** The statements of each segment by its ID, see `handWritten`. */
let statements = {};
process.on('message', (message) => {
  statements = message;
  process.send('taken');
});

const authorized = async ({ headers }) => {
  const hash = createHash('sha256').update(headers.authorization.slice(7)).digest('hex');
  const text = 'SELECT id FROM api_tokens WHERE hash = $1';
  return (await pool.query({ name: 'token', text, values: [hash] })).rows.length === 1;
};

const dated = ({ created_at, updated_at, ...group }) => ({
  ...group,
  created_at: new Date(created_at),
  updated_at: new Date(updated_at),
});

const contact = ({ tags, lists, ...columns }) => ({
  ...columns,
  total: undefined,
  full_name: [columns.first_name, columns.last_name].filter(Boolean).join(' ') || null,
  tags: tags.map(dated),
  lists: lists.map(dated),
});

/** One statement that gives all, or one for the total and one for the contacts. */
async function run(id, kind) {
  const results = [];
  for (const [nth, text] of statements[id][kind].entries()) {
    results.push(await pool.query({ name: `${kind} ${id} ${nth}`, text }));
  }
  const contacts = results
    .at(-1)
    .rows.filter((row) => row.id)
    .map(contact);
  return { total: results[0].rows[0].total, contacts };
}

async function answer(path) {
  const [, id, what] = /segments\/(\d+)\/?(\w*)/.exec(path);
  if (what === 'preview') {
    const { total, contacts } = await run(id, 'preview');
    return { data: { count: total, sample: contacts } };
  }
  if (what === 'contacts') {
    const { total, contacts } = await run(id, 'page');
    const last = Math.max(1, Math.ceil(total / 15));
    const link = (page) => `${publicUrl}/segments/${id}/contacts?page=${page}`;
    return {
      data: contacts,
      links: { first: link(1), last: link(last), prev: null, next: last > 1 ? link(2) : null },
      meta: { current_page: 1, last_page: last, per_page: 15, total, count: contacts.length },
    };
  }
  const text = `SELECT id, name, description, match_type, conditions, created_at, updated_at FROM segments
                WHERE workspace_id = $1 AND id = $2`;
  const { rows } = await pool.query({ name: 'segment', text, values: [workspaceId, id] });
  const { total } = await run(id, 'count');
  return { data: { ...rows[0], contacts_count: total, contacts_counted_at: new Date() } };
}

const server = createServer(async (request, response) => {
  const body = (await authorized(request)) ? await answer(request.url) : { error: 'Unauthorized' };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
