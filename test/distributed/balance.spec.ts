import type { ApiClient } from '../support/api-client.js';
import { CommandRunner } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

const CONTACTS = 50;

describe('outreach database balance', () => {
  const commands = new CommandRunner();
  afterAll(() => commands.stop());
  const service = useService();
  let large: ApiClient;
  let others: ApiClient[];

  const run = (...args: string[]) =>
    commands.run(['database', 'balance', ...args], {
      DATABASE_URL: service.database.url,
      ENCRYPTION_KEY: service.config.encryption_key?.join(',') ?? '',
    });
  const report = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  /** How many shards of each table a node has. */
  const shards = async (): Promise<number[]> => {
    const rows = await service.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM citus_shards WHERE table_name = 'contacts'::regclass GROUP BY nodeport ORDER BY 1`,
    );
    return rows.map(({ count }) => count);
  };
  const emails = async (api: ApiClient): Promise<string[]> => {
    const rows = await service.database.query<{ email: string }>(
      'SELECT email FROM contacts WHERE workspace_id = $1 ORDER BY email',
      [api.workspaceId],
    );
    return rows.map(({ email }) => email);
  };

  beforeAll(async () => {
    large = await service.client();
    others = [];
    // Until one is in the same shards.
    const workspace = `${large.workspaceId}`;
    do others.push(await service.client());
    while ((await report('--workspace', workspace)).others === 0);
    for (const api of [large, ...others]) await new Given(api, service.database).contacts(CONTACTS);
  });

  it('shows where a workspace is, and moves nothing without --yes', async () => {
    const before = await shards();
    const { stdout } = await run('--workspace', `${large.workspaceId}`);
    expect(stdout).toMatch(
      new RegExp(`^Workspace ${large.workspaceId} shares its shards with 1 other workspaces on 127.0.0.1:\\d+ \\(`),
    );
    expect(stdout).toMatch(/--yes gives it shards of its own, and (leaves them there|moves them to 127.0.0.1:\d+)\./);
    expect(stdout).toContain('cannot be written to: set wal_level = logical');
    expect(await shards()).toEqual(before);
  });

  it('gives a workspace shards of its own on the node that has least, with all its rows, and the service goes on', async () => {
    const own = await emails(large);
    const theirs = await Promise.all(others.map(emails));
    const placed = await report('--workspace', `${large.workspaceId}`, '--yes');
    expect(placed).toMatchObject({ workspace_id: large.workspaceId, others: 0 });
    expect(placed.node).toBe(placed.emptiest);
    expect(await emails(large)).toEqual(own);
    expect(await Promise.all(others.map(emails))).toEqual(theirs);
    for (const api of [large, ...others]) {
      expect((await api.post('/contacts', { email: 'later@example.com' })).status).toBe(201);
      expect((await api.get('/contacts')).body.meta.total).toBe(CONTACTS + 1);
    }
  });

  it('has nothing to do for a workspace with shards of its own', async () => {
    const before = await shards();
    const { stdout } = await run('--workspace', `${large.workspaceId}`);
    expect(stdout).toMatch(/has shards of its own on .*\nThere is nothing to do\.\n$/);
    await run('--workspace', `${large.workspaceId}`, '--yes');
    expect(await shards()).toEqual(before);
  });

  it('refuses a workspace that does not exist', async () => {
    const { code, stderr } = await run('--workspace', '999999', '--yes');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'There is no workspace 999999.\n' });
  });

  it('shows what the rebalancer would move, starts it, and tells how it goes on until the nodes have equally much', async () => {
    const [placement] = await service.database.query<{ shard: string; from: number; to: number }>(
      `SELECT min(placed.shardid) AS shard, node.nodeid AS from, (
         SELECT other.nodeid FROM pg_dist_node other WHERE other.shouldhaveshards AND other.nodeid <> node.nodeid) AS to
       FROM citus_shards placed JOIN pg_dist_node node USING (nodename, nodeport)
       WHERE table_name = 'contacts'::regclass GROUP BY node.nodeid ORDER BY count(*) LIMIT 1`,
    );
    await service.database.query(`SELECT citus_move_shard_placement($1, $2, $3, 'block_writes')`, [
      placement?.shard,
      placement?.from,
      placement?.to,
    ]);
    const { transfers } = await report();
    expect(transfers.length).toBeGreaterThan(0);
    const [few, many] = await shards();
    expect((await run()).stdout).toContain(`${transfers.length} moves: --yes starts them.`);
    expect(await report('--yes')).toMatchObject({ job: expect.any(Number) });
    await eventually(async () => expect((await report()).last).toMatchObject({ state: 'finished' }), 60);
    expect(await shards()).toEqual(
      [(few ?? 0) + transfers.length, (many ?? 0) - transfers.length].sort((a, b) => a - b),
    );
    expect((await report()).transfers).toEqual([]);
    expect((await run()).stdout).toBe('The shards are balanced.\n');
  });
});
