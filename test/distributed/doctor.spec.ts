import { CommandRunner } from '../support/command-line.js';
import { useService } from '../support/service.js';

const NODES = process.env.TEST_NODE_URLS?.split(' ') ?? [];
/** Nothing listens there. */
const CLOSED_PORT = 1;

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly advice: string | null;
}

describe('outreach doctor on a distributed database', () => {
  const commands = new CommandRunner();
  // First, because it has connections to the database of the service.
  afterAll(() => commands.stop());
  const service = useService();

  const urlOn = (node: string): string =>
    Object.assign(new URL(node), { pathname: new URL(service.database.url).pathname }).href;
  /** What it finds of the nodes, as pairs of the status and the text. */
  const nodes = async (url = service.database.url): Promise<[string, string][]> => {
    const env = { DATABASE_URL: url, ENCRYPTION_KEY: service.config.encryption_key?.join(',') ?? '' };
    const { stdout } = await commands.run(['doctor', '--json'], env);
    const { checks } = JSON.parse(stdout) as { checks: Finding[] };
    return checks.filter(({ check }) => check === 'nodes').map((found) => [found.status, textOf(found)]);
  };
  const textOf = ({ message, advice }: Finding): string => (advice === null ? message : `${message} → ${advice}`);
  const problems = async (url?: string) =>
    (await nodes(url)).filter(([status, text]) => status !== 'ok' && !text.includes('wal_level'));

  it('tells the coordinator, which nodes reply, their shards, and that all tables are where they belong', async () => {
    const [coordinator, ...others] = NODES.map((node) => new URL(node).port);
    expect(await nodes()).toEqual([
      ['ok', expect.stringMatching(/^this process talks to the coordinator; 2 nodes, \d+ shards of each table$/)],
      ['ok', expect.stringMatching(new RegExp(`^the coordinator 127\\.0\\.0\\.1:${coordinator} replies, Citus 1`))],
      ...others.map((port) => [
        'ok',
        expect.stringMatching(new RegExp(`^node 127\\.0\\.0\\.1:${port} replies, Citus 1\\S+, \\d+ shards$`)),
      ]),
      ['warning', expect.stringContaining('Set wal_level = logical on all nodes')],
      ['ok', expect.stringMatching(/^all \d+ tables are where they belong$/)],
    ]);
  });

  it('names a table that is not where it belongs, and how it gets there', async () => {
    await service.database.query('CREATE TABLE loose (workspace_id bigint, id bigint, PRIMARY KEY (workspace_id, id))');
    expect(await problems()).toEqual([
      [
        'error',
        'tables that are not where they belong: 1 (loose) → Stop the service and run "outreach database distribute --yes", ' +
          'which goes on with what is missing.',
      ],
    ]);
    await service.database.query('DROP TABLE loose');
  });

  it('names a function of triggers that is that for one server', async () => {
    const [own] = await service.database.query<{ definition: string }>(
      `SELECT pg_get_functiondef('table_of'::regproc) AS definition`,
    );
    await service.database.query(
      `CREATE OR REPLACE FUNCTION table_of(shard text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT shard $$`,
    );
    expect(await problems()).toEqual([
      ['error', expect.stringMatching(/^functions of triggers for one server: table_of → /)],
    ]);
    await service.database.query(own?.definition ?? '');
    expect(await problems()).toEqual([]);
  });

  it('says that DATABASE_URL leads to a node that is not the coordinator', async () => {
    expect(await problems(urlOn(NODES[1] ?? ''))).toEqual([
      [
        'error',
        expect.stringMatching(/^this process talks to a node that is not the coordinator → Let DATABASE_URL lead/),
      ],
    ]);
  });

  it('names a node that is not active, and one that does not reply', async () => {
    await service.database.query(`SELECT citus_add_inactive_node('127.0.0.1', ${CLOSED_PORT})`);
    const name = `node 127.0.0.1:${CLOSED_PORT}`;
    expect(await problems()).toEqual([
      ['error', `${name} is not active → Run SELECT citus_activate_node('127.0.0.1', ${CLOSED_PORT}).`],
    ]);
    await service.database.query('UPDATE pg_dist_node SET isactive = TRUE WHERE nodeport = $1', [CLOSED_PORT]);
    expect(await problems()).toEqual([
      ['error', `${name} does not reply → Start its PostgreSQL, or check the network.`],
    ]);
    await service.database.query('UPDATE pg_dist_node SET isactive = FALSE WHERE nodeport = $1', [CLOSED_PORT]);
    await service.database.query(`SELECT citus_remove_node('127.0.0.1', ${CLOSED_PORT})`);
  });
});
