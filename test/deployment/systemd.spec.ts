import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/app/settings.js';

const EXAMPLES = join(import.meta.dirname, '../../examples/deployment');
const read = (file: string): string => readFileSync(join(EXAMPLES, file), 'utf8');

describe('the example for systemd', () => {
  it.each([
    ['outreach@.service', 'all'],
    ['outreach-api@.service', '3001'],
  ])('has the valid unit %s', (unit, instance) => {
    const folder = mkdtempSync(join(tmpdir(), 'outreach-systemd-'));
    const file = join(folder, unit.replace('@', `@${instance}`));
    // The program must exist.
    writeFileSync(file, read(unit).replace('/usr/bin/node', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true, force: true });
    expect([status, stderr.split('\n').filter((line) => line.includes('outreach'))]).toEqual([0, []]);
  });

  it('has a unit for each port of the API that differs from the one for each role only in what the instance is', () => {
    const [ofRole = '', ofPort = ''] = ['outreach@.service', 'outreach-api@.service'].map(read);
    const lines = (unit: string) => unit.split('\n').filter((line) => !line.startsWith('#'));
    const own = lines(ofPort).filter((line) => !lines(ofRole).includes(line));
    expect(lines(ofPort)).toHaveLength(lines(ofRole).length);
    expect(own).toEqual([expect.stringMatching(/^Description=/), expect.stringMatching(/^Environment=/)]);
    const [, ...pairs] = /^Environment=(.*)$/m.exec(ofPort)?.[1]?.replaceAll('%i', '3001').split(' ') ?? [];
    const settings = Object.fromEntries(pairs.map((pair) => pair.split('=')));
    expect(loadConfig(settings)).toMatchObject({ role: 'api', port: 3001, metrics_port: 13_001 });
  });

  it('has an environment file with settings that exist, of which only the key is to be filled in', () => {
    const lines = read('outreach.env').split('\n');
    const settings = Object.fromEntries(
      lines
        .filter((line) => /^\w+=/.test(line))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    expect(() => loadConfig(settings)).toThrow(/ENCRYPTION_KEY/);
    expect(loadConfig({ ...settings, ENCRYPTION_KEY: 'k'.repeat(64) })).toMatchObject({
      public_url: 'https://outreach.example.com',
      trust_proxy: ['127.0.0.1/32'],
    });
  });
});
