import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/test-database.js';
import { Buildah, lastDescendant } from './buildah.js';

const COMMIT = '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567';
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

describe('the image that the Dockerfile describes', () => {
  const buildah = new Buildah();
  let container: string;
  let entrypoint: readonly string[];
  beforeAll(() => {
    buildah.prepare();
    buildah.buildTarget('outreach', undefined, { VERSION: version, SOURCE_COMMIT: COMMIT });
    entrypoint = buildah.config('outreach').Entrypoint;
    container = buildah.container('outreach');
  });
  afterAll(() => buildah.remove());

  const start = (args: readonly string[], env?: Record<string, string>): ChildProcess =>
    buildah.start(container, [...entrypoint, ...args], env);

  async function result(child: ChildProcess): Promise<{ code: number; stdout: string; stderr: string }> {
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error('It has no output.');
    const [out, errors, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'close')]);
    return { code: code as number, stdout: out, stderr: errors };
  }
  const run = (...command: string[]) => result(buildah.start(container, command));

  it('runs the program as a user with a number, and says what it was made of', () => {
    const { User, Entrypoint, Cmd, Env, Labels, Volumes } = buildah.config('outreach');
    expect({ User, Entrypoint, Cmd, Volumes }).toEqual({
      User: '1000:1000',
      Entrypoint: ['outreach'],
      Cmd: ['serve'],
      Volumes: undefined,
    });
    expect(Labels).toMatchObject({
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': COMMIT,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    });
    // A single container stops at once: only a load balancer needs the delay.
    expect(Env.filter((each) => each.startsWith('SHUTDOWN_DELAY_SECONDS'))).toEqual([]);
  });

  it('runs each command of the program, although the checkout was readable by its owner alone', async () => {
    expect(await result(start(['--version']))).toEqual({
      code: 0,
      stdout: expect.stringContaining(version),
      stderr: '',
    });
    const { code, stdout } = await result(start(['doctor']));
    expect([code, stdout]).toEqual([1, expect.stringMatching(/database/i)]);
    expect(stdout).not.toMatch(/^ +at /m);
  });

  it('contains the licenses, neither sources nor source maps, and no embedded PostgreSQL', async () => {
    const { code, stdout } = await run('find', '/app');
    const files = stdout.split('\n');
    expect([code, files]).toEqual([
      0,
      expect.arrayContaining(['/app/LICENSE', '/app/THIRD-PARTY-LICENSES', '/app/dist/bundle/cli.js']),
    ]);
    expect(files.filter((file) => /\.map$|\.ts$|node_modules/.test(file))).toEqual([]);
  });

  it('serves without arguments, is healthy, and stops at once on SIGTERM', async () => {
    const database = await createTestDatabase();
    const [PORT, METRICS_PORT] = [await freePort(), await freePort()];
    const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: 'a key that only tests use', PORT, METRICS_PORT };
    const service = start(buildah.config('outreach').Cmd, env);
    try {
      const ended = result(service);
      const ready = () => fetch(`http://127.0.0.1:${METRICS_PORT}/health/ready`);
      await eventually(async () => expect((await ready()).ok).toBe(true));
      expect((await fetch(`http://127.0.0.1:${PORT}/docs`)).status).toBe(200);
      const check = buildah.start(container, ['node', 'docker/healthcheck.mjs'], env);
      expect(await result(check)).toEqual({ code: 0, stdout: '', stderr: '' });
      // No shell is between, which would keep the signal.
      const { pid, program } = lastDescendant(service.pid ?? 0);
      expect(program).toBe('node');
      process.kill(pid, 'SIGTERM');
      expect(await ended).toMatchObject({ code: 0 });
    } finally {
      service.kill();
    }
    await database.drop();
  });
});
