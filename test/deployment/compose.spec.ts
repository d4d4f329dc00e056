import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../src/app/settings.js';
import { composeErrors } from '../support/compose.js';

const CONTENT = readFileSync(join(import.meta.dirname, '../../docker/compose.yaml'), 'utf8');
const OPEN_TO_ALL = 0o644;

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly secrets?: readonly string[];
}
const { services, secrets } = parse(CONTENT, { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
};
const processes = Object.entries(services).filter(([, { image }]) => image === 'outreach');

/** The commands in the first lines of the file, up to those that need Docker. */
const COMMANDS = CONTENT.split('\n')
  .filter((line) => line.startsWith('#   ') && !line.includes('docker compose'))
  .map((line) => line.slice(1).trim());

describe('docker/compose.yaml', () => {
  it('is what the Compose specification allows, and a misspelled key is not', () => {
    expect(composeErrors(CONTENT)).toEqual([]);
    expect(composeErrors(CONTENT.replace('read_only:', 'readonly:'))).not.toEqual([]);
  });

  it('runs the processes of the service without rights and without a file system to write to', () => {
    expect(processes.map(([name]) => name)).toEqual(['migrate', 'api', 'worker']);
    for (const [, service] of processes) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: [expect.stringMatching(/^\/tmp:/)] });
    }
  });

  it('bounds the logs of all containers, which cannot get more rights', () => {
    for (const service of Object.values(services)) {
      expect(service).toMatchObject({
        security_opt: ['no-new-privileges:true'],
        logging: { options: { 'max-size': expect.any(String), 'max-file': expect.any(String) } },
      });
    }
  });

  describe('with the secrets that its first commands create', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'outreach-compose-'));
      mkdirSync(join(folder, 'docker'));
      const { status, stderr } = spawnSync('sh', ['-e'], { cwd: folder, input: COMMANDS.join('\n'), encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    const pathOf = (name: string) => join(folder, 'docker', secrets[name]?.file ?? 'missing');

    it('has all that the services name, readable by the accounts in the containers', () => {
      const named = new Set(Object.values(services).flatMap(({ secrets: names = [] }) => names));
      expect(readdirSync(join(folder, 'docker/secrets')).sort()).toEqual([...named].sort());
      for (const name of named) expect(statSync(pathOf(name)).mode & 0o777).toBe(OPEN_TO_ALL);
    });

    it.each(processes)(
      'gives %s settings that it accepts, with the password of PostgreSQL',
      (_, { environment = {} }) => {
        const settings = Object.entries(environment).map(([name, value]) => [
          name,
          String(value)
            .replace(/\$\{\w+:-([^{}]*)\}/, '$1')
            .replace(/^\/run\/secrets\/(\w+)$/, (__, secret: string) => pathOf(secret)),
        ]);
        const password = readFileSync(pathOf('postgres_password'), 'utf8');
        expect(loadConfig({ ...Object.fromEntries(settings), PUBLIC_URL: '' })).toMatchObject({
          database_url: `postgres://outreach:${password}@postgres:5432/outreach`,
          encryption_key: [expect.stringMatching(/^[0-9a-f]{64}$/)],
        });
      },
    );
  });
});
