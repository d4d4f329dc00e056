import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, OutreachProcess, type ProcessResult } from '../support/command-line.js';
import { ScrapedMetrics } from '../support/metrics.js';

const ROOT = join(import.meta.dirname, '../..');
const MAX_MB = 100;
const MAX_PACKAGES = 60;
/** That of the embedded PostgreSQL. */
const MAX_INSTALL_SCRIPTS = 1;
const MIN_LICENSE_LENGTH = 300;
const KB_PER_MB = 1_024;

/** What npm needs to know of the machine. The rest of the environment is that of the test run. */
const ABOUT_THE_MACHINE = /^(HOME|\w+_PROXY|NODE_EXTRA_CA_CERTS|npm_config_(registry|cache|cafile|\w*config))$/i;
const machine: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = '']) => (ABOUT_THE_MACHINE.test(name) ? [[name, value]] : [])),
  ),
  // It writes to standard error.
  npm_config_update_notifier: 'false',
};

interface Manifest {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, unknown>>;
}

describe('the package, installed in an empty directory', () => {
  let folder: string;
  /** Where it is installed. */
  let home: string;
  let installed: string;
  let manifest: Manifest;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outreach-package-'));
    // The embedded PostgreSQL runs as another user.
    await chmod(folder, 0o755);
    const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], ROOT);
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    home = join(folder, 'home');
    await mkdir(home);
    const quickly = ['--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', ['install', '--omit=dev', ...quickly, join(folder, filename)], home);
    installed = join(home, 'node_modules/outreach');
    manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Manifest;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    const dataDir = await mkdtemp(join(folder, 'data-'));
    await chmod(dataDir, 0o755);
    env = { ...machine, DATA_DIR: join(dataDir, 'data'), PORT: await freePort() };
  });

  async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
    const { stdout } = await promisify(execFile)(command, args, { cwd, env: { PATH: process.env.PATH, ...machine } });
    return stdout;
  }
  const npx = (...args: readonly string[]): Promise<ProcessResult> =>
    new OutreachProcess(args, env, { cwd: home }, ['npx', 'outreach']).ended;
  const origin = (): string => `http://127.0.0.1:${env.PORT}`;

  it('is small: few packages, and one script that runs at the installation', async () => {
    const packages = (await run('npm', ['ls', '--all', '--parseable'], home)).trim().split('\n').slice(1);
    const [kilobytes] = (await run('du', ['-sk', join(home, 'node_modules')], home)).split('\t');
    const lock = JSON.parse(await readFile(join(home, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, { readonly hasInstallScript?: true }>>;
    };
    const scripts = Object.values(lock.packages).filter(({ hasInstallScript }) => hasInstallScript);
    expect(packages.length).toBeLessThanOrEqual(MAX_PACKAGES);
    expect(Number(kilobytes) / KB_PER_MB).toBeLessThanOrEqual(MAX_MB);
    expect(scripts.length).toBeLessThanOrEqual(MAX_INSTALL_SCRIPTS);
  });

  it('runs the demo', async () => {
    const { code, stdout, stderr } = await npx('demo');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Imported examples/contacts.csv: 1963 of 2000 rows');
  });

  it('prints its version and its commands', async () => {
    const commit = existsSync(join(ROOT, '.git')) ? ' \\([0-9a-f]{7}\\)' : '';
    expect((await npx('--version')).stdout).toMatch(
      new RegExp(`^outreach ${manifest.version.replaceAll('.', '\\.')}${commit}\n$`),
    );
    const { stdout } = await npx('--help');
    for (const command of ['serve', 'demo', 'doctor', 'workspace']) {
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
  });

  it('serves the API, creates workspaces, finds nothing wrong with itself, and ends when it is asked to', async () => {
    const service = new OutreachProcess(['serve'], env, { cwd: home }, [join(home, 'node_modules/.bin/outreach')]);
    await service.prints(/^listening on /m);
    const created = JSON.parse((await npx('workspace', 'create', '--name', 'Acme', '--json')).stdout) as { id: number };
    const issued = await npx('token', 'create', '--workspace', `${created.id}`, '--name', 'test', '--json');
    const { token } = JSON.parse(issued.stdout) as { token: string };
    const own = await fetch(`${origin()}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(own.status).toBe(200);
    for (const path of ['/docs', '/docs/renderer.js', '/openapi.json', '/marketplace']) {
      expect([path, (await fetch(origin() + path)).status]).toEqual([path, 200]);
    }
    const examined = await npx('doctor', '--json');
    const { version, commit } = JSON.parse(examined.stdout) as { version: string; commit: string | null };
    expect({ ...examined, version }).toMatchObject({ code: 0, stderr: '', version: manifest.version });
    expect((await npx('doctor')).stdout).toMatch(/^ok +version +outreach /m);
    const labels = { version, commit: commit ?? 'unknown', node: process.versions.node };
    expect((await ScrapedMetrics.of(origin())).valuesOf('outreach_build_info')).toEqual([{ labels, value: 1 }]);
    expect((await service.stop()).code).toBe(0);
  });

  it('ends with npm start when npm is asked to end', async () => {
    // The script of package.json builds first. Here everything is built.
    await mkdir(join(installed, 'scripts'), { recursive: true });
    await writeFile(join(installed, 'scripts/build-if-changed.mjs'), '');
    const npm = new OutreachProcess([], env, { cwd: installed }, ['npm', 'start']);
    await npm.prints(/^listening on /m);
    await npm.stop();
    await expect(fetch(origin())).rejects.toThrow('fetch failed');
  });

  it('contains the text of the license of each package in it', async () => {
    expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toContain('Apache License');
    const [, ...parts] = (await readFile(join(installed, 'dist/THIRD-PARTY-LICENSES'), 'utf8')).split(/^-{80}\n/m);
    const texts = new Map(
      parts.flatMap((part) => {
        const [names = '', ...text] = part.split('\n\n');
        return names.split('\n').map((name) => [name.replace(/ [\d.]+ .*/, ''), text.join('\n\n')] as const);
      }),
    );
    expect([...texts].filter(([, text]) => text.length < MIN_LICENSE_LENGTH)).toEqual([]);
    expect([...texts.keys()]).toEqual(
      expect.arrayContaining(['@nestjs/core', 'pg', 'typeorm', 'What dist/docs/renderer.js.gz contains']),
    );
  });

  it('has types that need its optional peers and nothing else', async () => {
    const modules = await importedModules(join(installed, 'dist/types/src/extension/index.d.ts'), new Set());
    const needed = [...new Set(modules.map(peerOf))].sort();
    expect(needed).toEqual(Object.keys(manifest.peerDependencies).sort());
    expect(needed).toEqual(Object.keys(manifest.peerDependenciesMeta).sort());
    const example = JSON.parse(await readFile(join(ROOT, 'examples/module-notes/package.json'), 'utf8')) as Manifest;
    expect(manifest.devDependencies).toMatchObject(example.devDependencies);
  });

  /** @returns what the types in a file and in those that it imports import of other packages */
  async function importedModules(file: string, read: Set<string>): Promise<string[]> {
    if (read.has(file)) return [];
    read.add(file);
    const imports = (await readFile(file, 'utf8')).matchAll(/(?:from |import\(|import )(['"])([\w@./:-]+)\1/g);
    const found: string[] = [];
    for (const [, , module = ''] of imports) {
      if (module.startsWith('.')) {
        found.push(...(await importedModules(join(dirname(file), module.replace(/\.js$/, '.d.ts')), read)));
      } else found.push(module);
    }
    return found;
  }

  /** @returns the package that has the types of a module */
  function peerOf(module: string): string {
    const [name = ''] = module.startsWith('node:') ? ['node'] : (/^(@[^/]+\/)?[^/]+/.exec(module) ?? []);
    return `@types/${name}` in manifest.peerDependencies ? `@types/${name}` : name;
  }
});
