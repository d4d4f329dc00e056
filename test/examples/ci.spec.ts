import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, OutreachProcess } from '../support/command-line.js';
import { composeErrors } from '../support/compose.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { EXAMPLE, exampleFile, exampleJob, type Job, workflowErrors } from './workflow.js';

const ROOT = join(import.meta.dirname, '../..');
const ALL_PASSED = '7 passed, 7 total';

interface Result {
  readonly code: number;
  readonly output: string;
}

describe('the files of examples/ci', () => {
  it('have a workflow in which GitHub finds no error, and a misspelled key is one', () => {
    const workflow = exampleFile('github-actions.yml');
    expect(workflowErrors(workflow)).toEqual([]);
    expect(workflowErrors(workflow.replace('working-directory:', 'workdir:'))).toEqual([
      expect.stringContaining("Unexpected value 'workdir'"),
    ]);
  });

  it('have a compose file that the Compose specification allows, and a misspelled key is not allowed', () => {
    const compose = exampleFile('compose.yaml');
    expect(composeErrors(compose)).toEqual([]);
    expect(composeErrors(compose.replace('depends_on:', 'depends:'))).not.toEqual([]);
  });

  it('have a service container whose database is that of DATABASE_URL', () => {
    const { env, services } = exampleJob();
    const { username, password, pathname } = new URL(env.DATABASE_URL ?? '');
    expect(services.postgres?.env).toEqual({
      POSTGRES_USER: username,
      POSTGRES_PASSWORD: password,
      POSTGRES_DB: pathname.slice(1),
    });
  });
});

describe('the steps of the workflow', () => {
  let workspace: string;
  let database: TestDatabase;
  let job: Job;
  beforeAll(async () => {
    job = exampleJob();
    workspace = mkdtempSync(join(tmpdir(), 'outreach-ci-'));
    cpSync(EXAMPLE, join(workspace, 'e2e'), {
      recursive: true,
      filter: (source) => !source.startsWith(join(EXAMPLE, 'node_modules')),
    });
    symlinkSync(ROOT, join(workspace, 'outreach'));
    database = await createTestDatabase();
    // All but the build of the service, which has been built for the tests.
    for (const step of job.steps.filter((each) => each['working-directory'] === 'e2e' && each.run === 'npm ci'))
      expect(await resultOf(step.run ?? '')).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await database.drop();
    rmSync(workspace, { recursive: true, force: true });
  });

  /** Runs a command in the folder of the suite, with the environment of the job. */
  async function resultOf(command: string, changes: Record<string, string> = {}): Promise<Result> {
    const env = {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: workspace, LOG_LEVEL: 'error' },
      ...Object.fromEntries(
        Object.entries(job.env).map(([key, value]) => [
          key,
          value.replace('${{ github.workspace }}', workspace).replace('${{ github.run_id }}', '17'),
        ]),
      ),
      ...{ DATABASE_URL: database.url, PORT: await freePort(), ...changes },
    };
    const child = spawn('bash', ['-e', '-c', command], { cwd: join(workspace, 'e2e'), env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  const suiteStep = (): string => job.steps.at(-1)?.run ?? '';

  it(
    'run the suite in a new sandbox each time',
    async () => {
      for (let count = 1; count <= 2; count += 1) {
        expect(await resultOf(suiteStep())).toMatchObject({ code: 0, output: expect.stringContaining(ALL_PASSED) });
        const sandboxes = await database.query('SELECT FROM workspaces WHERE is_sandbox AND name = $1', ['17']);
        expect(sandboxes).toHaveLength(count);
      }
    },
  );

  it(
    'have commands by which several jobs use one service at the same time, each in a sandbox of its own',
    async () => {
      const TLS_DIR = join(workspace, 'tls');
      expect(await resultOf(`./certificate.sh ${TLS_DIR} e2e`)).toMatchObject({ code: 0 });
      const PORT = await freePort();
      // The key of run.sh, which has filled the database.
      const settings = {
        ENCRYPTION_KEY: 'only the databases of tests have this key',
        DATABASE_URL: database.url,
      };
      const service = await OutreachProcess.serve({
        ...{ PORT, ...settings, EGRESS_ALLOWED_CIDRS: '127.0.0.0/8', LOG_LEVEL: 'error' },
        ...{ NODE_EXTRA_CA_CERTS: join(TLS_DIR, 'receiver.pem'), PUBLIC_URL: `http://127.0.0.1:${PORT}` },
      });
      const variables = { ...settings, TLS_DIR, OUTREACH_URL: `http://127.0.0.1:${PORT}` };
      const job = () => resultOf('OUTREACH_TOKEN=$(./token.sh job) npm test', variables);
      const results = await Promise.all([job(), job(), job()]);
      expect(await service.stop()).toMatchObject({ code: 0 });
      for (const { code, output } of results) expect([code, output]).toEqual([0, expect.stringContaining(ALL_PASSED)]);
    },
  );

  it(
    'fail if the suite fails, and show the log of the service',
    async () => {
      const { code, output } = await resultOf(suiteStep(), { RECEIVER_HOST: '127.0.0.2', LOG_LEVEL: 'info' });
      expect(code).toBe(1);
      expect(output).toMatch(/Every webhook is signed/);
      expect(output).toMatch(/workspace_id/);
    },
  );

  it('fail at once if the service does not start', async () => {
    const { code, output } = await resultOf(suiteStep(), { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' });
    expect(code).not.toBe(0);
    expect(output).not.toContain('Tests:');
  });
});
