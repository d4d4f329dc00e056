import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/test-database.js';

const ROOT = join(import.meta.dirname, '../..');
const DOCKERFILE = readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8');
const STAGES = DOCKERFILE.split(/^FROM /m).slice(1);

/** Copies what the stages of a target have beside the base image into a folder. */
function copyStages(count: number, folder: string): void {
  const stages = STAGES.slice(1, 1 + count).join('');
  const copies = [...stages.matchAll(/^COPY (?:--from=build \/app\/)?(\S+) (\S+)$/gm)];
  for (const [, source = '', target = ''] of copies) {
    const destination = target.endsWith('/') ? join(target, source.split('/').at(-1) ?? '') : target;
    cpSync(join(ROOT, source), join(folder, destination), { recursive: true, dereference: true });
  }
}

/** Runs a program of the image until it ends. @returns its exit code */
async function exitCodeOf(folder: string, args: readonly string[], env: Record<string, string>): Promise<number> {
  const [code] = await once(
    spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] }),
    'exit',
  );
  return code as number;
}

describe('the files of the image', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'outreach-image-'));
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['slim', 1],
    ['complete', 2],
  ])(
    'are enough for the %s target',
    async (name, stages) => {
      copyStages(stages, folder);
      const database = await createTestDatabase();
      const PORT = await freePort();
      const store: Record<string, string> =
        name === 'slim' ? { DATABASE_URL: database.url, ENCRYPTION_KEY: 'a key that only tests use' } : {};
      const env = { PATH: process.env.PATH ?? '', PORT, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error', ...store };
      const service = spawn(process.execPath, ['dist/bundle/main.js'], {
        cwd: folder,
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      await eventually(() => fetch(`http://127.0.0.1:${PORT}/health/ready`), 30);
      expect(await exitCodeOf(folder, ['docker/healthcheck.mjs'], env)).toBe(0);
      const gallery = await (await fetch(`http://127.0.0.1:${PORT}/marketplace`)).text();
      const [, picture = ''] = /<img\s+src="([^"]+)"/.exec(gallery) ?? [];
      for (const path of ['/docs', '/docs/swagger-ui-bundle.js', '/openapi.json', '/marketplace', picture]) {
        expect([path, (await fetch(`http://127.0.0.1:${PORT}${path}`)).status]).toEqual([path, 200]);
      }
      expect(await exitCodeOf(folder, ['bin/outreach.js', 'workspace', 'create', '--name', 'Acme'], env)).toBe(0);
      service.kill('SIGTERM');
      expect(await once(service, 'exit')).toEqual([0, null]);
      await database.drop();
    },
    60_000,
  );
});
