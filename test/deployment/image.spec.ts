import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyBuildContext } from '../support/build-context.js';
import { freePort } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/test-database.js';

const ROOT = join(import.meta.dirname, '../..');
const STAGES = readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8')
  .split(/^FROM /m)
  .slice(1);

/** Builds what a build of the image gets. */
async function buildIn(folder: string): Promise<void> {
  copyBuildContext(folder);
  linkPackages(folder);
  expect(await exitCodeOf(folder, ['scripts/build.mjs'], { PATH: process.env.PATH ?? '' })).toBe(0);
}

/** Links what `npm ci` would install; the packages of the repository are those of the folder. */
function linkPackages(folder: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(to);
  for (const name of readdirSync(from)) symlinkSync(join(from, name), join(to, name));
  rmSync(join(to, '@outreach'));
  cpSync(join(from, '@outreach'), join(to, '@outreach'), { recursive: true, verbatimSymlinks: true });
}

/** Copies what the stages of a target have beside the base image. */
function copyStages(count: number, build: string, folder: string): void {
  const stages = STAGES.slice(1, 1 + count).join('');
  const copies = [...stages.matchAll(/^COPY (?:--from=build \/app\/)?(\S+) (\S+)$/gm)];
  for (const [, source = '', target = ''] of copies) {
    const destination = target.endsWith('/') ? join(target, source.split('/').at(-1) ?? '') : target;
    cpSync(join(build, source), join(folder, destination), { recursive: true, dereference: true });
  }
}

/** @returns the address of the first picture of the gallery */
async function pictureOf(url: string): Promise<string> {
  const page = await (await fetch(`${url}/marketplace`)).text();
  return /<img[^>]* src="([^"]+)"/.exec(page)?.[1] ?? 'no picture';
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
  let build: string;
  let folder: string;
  beforeAll(async () => {
    build = mkdtempSync(join(tmpdir(), 'outreach-build-'));
    await buildIn(build);
  });
  afterAll(() => rmSync(build, { recursive: true, force: true }));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'outreach-image-'));
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['slim', 1],
    ['embedded', 2],
  ])('are enough for the %s target', async (name, stages) => {
    copyStages(stages, build, folder);
    const database = await createTestDatabase();
    const PORT = await freePort();
    const store: Record<string, string> =
      name === 'slim' ? { DATABASE_URL: database.url, ENCRYPTION_KEY: 'a key that only tests use' } : {};
    const env = { PATH: process.env.PATH ?? '', PORT, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error', ...store };
    const service = spawn(process.execPath, ['bin/outreach.js', 'serve'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await eventually(() => fetch(`http://127.0.0.1:${PORT}/health/ready`));
    expect(await exitCodeOf(folder, ['docker/healthcheck.mjs'], env)).toBe(0);
    const url = `http://127.0.0.1:${PORT}`;
    for (const path of [
      '/docs',
      '/docs/renderer.js',
      '/docs/openapi.json',
      '/llms.txt',
      '/openapi.json',
      await pictureOf(url),
    ]) {
      expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 200]);
    }
    expect(await exitCodeOf(folder, ['bin/outreach.js', 'workspace', 'create', '--name', 'Acme'], env)).toBe(0);
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
    await database.drop();
  });
});
