import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { copyBuildContext } from '../support/build-context.js';

const DOCKERFILE = join(import.meta.dirname, '../../docker/Dockerfile');
/** What the base image has of Debian beside Node and npm, as far as the Dockerfile needs it. */
const PACKAGES = ['base-files', 'dash', 'coreutils', 'findutils', 'libstdc++6'];
const ACCOUNTS = {
  passwd: 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
  group: 'node:x:1000:\n',
};
const MIB = 2 ** 20;

/** What an image says of itself. */
export interface ImageConfig {
  readonly User: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly Volumes?: object;
}

/**
 * Builds with buildah, in folders of its own. There is no registry: the base image is made of packages of Debian and of the Node
 * of this machine, and has the name that the Dockerfile asks for.
 */
export class Buildah {
  readonly folder = mkdtempSync(join(tmpdir(), 'outreach-buildah-'));
  private readonly options = [
    ...each('--root', [join(this.folder, 'images')]),
    ...each('--runroot', [join(this.folder, 'run')]),
    ...each('--storage-driver', ['vfs']),
  ];

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Makes the base image, and a build context that only its owner may read. */
  prepare(): void {
    const dockerfile = 'FROM scratch\nCOPY . /\nENV PATH=/usr/local/bin:/usr/bin:/bin\n';
    this.build(this.baseFiles(), dockerfile, ['--tag', `docker.io/library/${baseName()}`]);
    mkdirSync(this.context);
    copyBuildContext(this.context);
    run('chmod', ['--recursive', 'go=', this.context]);
  }

  /** Builds a target of the unchanged Dockerfile. Without a name it is the default. */
  buildTarget(tag: string, target: string | undefined, args: Readonly<Record<string, string>>): void {
    const npmrc = join(this.folder, 'npmrc');
    writeFileSync(npmrc, npmConfiguration());
    const cache = run('npm', ['config', 'get', 'cache']).trim();
    // Without the digest of a release, which an image that is made here cannot have.
    const values = Object.entries({ NODE_IMAGE: baseName(), ...args }).map(([name, value]) => `${name}=${value}`);
    this.build(this.context, readFileSync(DOCKERFILE, 'utf8'), [
      ...each('--volume', [`${npmrc}:/root/.npmrc:ro`, `${cache}:/root/.npm`, '/etc/ssl:/etc/ssl:ro']),
      ...each('--build-arg', values),
      ...each('--target', target === undefined ? [] : [target]),
      ...each('--tag', [tag]),
    ]);
  }

  config(tag: string): ImageConfig {
    return JSON.parse(run('buildah', [...this.options, 'inspect', '--type', 'image', tag])).OCIv1.config;
  }

  /** @returns the name of a new container */
  container(tag: string): string {
    return run('buildah', [...this.options, 'from', '--pull-never', tag]).trim();
  }

  /** Starts a program as the user of the image, whose network is that of this machine. */
  start(container: string, command: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const options = [...this.options, 'run', '--isolation', 'chroot', ...each('--env', settings)];
    return spawn('buildah', [...options, container, '--', ...command]);
  }

  private get context(): string {
    return join(this.folder, 'context');
  }

  private build(context: string, dockerfile: string, options: readonly string[]): void {
    const file = join(this.folder, 'Dockerfile');
    writeFileSync(file, dockerfile);
    const how = ['--isolation', 'chroot', '--pull-never', '--file', file];
    run('buildah', [...this.options, 'bud', ...how, ...options, context]);
  }

  private baseFiles(): string {
    const files = join(this.folder, 'base');
    const codename = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
    run('mmdebstrap', ['--quiet', '--variant=extract', `--include=${PACKAGES.join()}`, codename, files]);
    // Devices are those of the machine.
    rmSync(join(files, 'dev'), { recursive: true });
    mkdirSync(join(files, 'dev'));
    for (const [name, text] of Object.entries(ACCOUNTS)) writeFileSync(join(files, 'etc', name), text);
    const npm = join(run('npm', ['root', '--global']).trim(), 'npm');
    cpSync(realpathSync(npm), join(files, 'usr/local/lib/npm'), { recursive: true });
    mkdirSync(join(files, 'usr/local/bin'), { recursive: true });
    cpSync(process.execPath, join(files, 'usr/local/bin/node'));
    symlinkSync('../lib/npm/bin/npm-cli.js', join(files, 'usr/local/bin/npm'));
    chmodSync(files, 0o755);
    return files;
  }
}

/** @returns the process at the end of the chain that buildah has started */
export function lastDescendant(pid: number): { readonly pid: number; readonly program: string } {
  // Each thread has the children that it has started.
  const threads = readdirSync(`/proc/${pid}/task`);
  const [child] = threads.flatMap(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g) ?? [],
  );
  return child ? lastDescendant(Number(child)) : { pid, program: basename(readlinkSync(`/proc/${pid}/exe`)) };
}

const each = (option: string, values: readonly string[]): string[] => values.flatMap((value) => [option, value]);

const baseName = (): string => /^ARG NODE_IMAGE=([^@\s]+)/m.exec(readFileSync(DOCKERFILE, 'utf8'))?.[1] ?? 'scratch';

/** @returns the settings of npm on this machine: where packages come from, and whom to trust */
const npmConfiguration = (): string =>
  ['registry', 'cafile', 'proxy', 'https-proxy']
    .map((name) => [name, run('npm', ['config', 'get', name]).trim()] as const)
    .filter(([, value]) => value !== '' && value !== 'null' && value !== 'undefined')
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * MIB });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stdout + stderr}`);
  return stdout;
}
