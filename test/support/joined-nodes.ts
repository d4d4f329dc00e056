import pg from 'pg';

export async function onServer(connectionString: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Makes one distributed database of those of the same name.
 * @param servers the first one is the coordinator
 */
export async function joinNodes(servers: readonly string[], name: string): Promise<void> {
  const urls = servers.map((server) => Object.assign(new URL(server), { pathname: `/${name}` }));
  for (const { href } of urls) await onServer(href, ['CREATE EXTENSION citus']);
  const [coordinator, ...workers] = urls;
  if (!coordinator) throw new Error('A distributed PostgreSQL has a coordinator.');
  await onServer(coordinator.href, [
    `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    ...workers.map(({ port }) => `SELECT citus_add_node('127.0.0.1', ${port})`),
  ]);
}
