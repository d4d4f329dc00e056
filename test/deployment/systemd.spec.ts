import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/app/settings.js';

const EXAMPLES = join(import.meta.dirname, '../../examples/deployment');
const read = (file: string): string => readFileSync(join(EXAMPLES, file), 'utf8');

describe('the example for systemd', () => {
  it('is a valid unit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'outreach-systemd-'));
    const file = join(folder, 'outreach@all.service');
    // The program must exist.
    writeFileSync(file, read('outreach@.service').replace('/usr/bin/node', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true, force: true });
    expect([status, stderr.split('\n').filter((line) => line.includes('outreach'))]).toEqual([0, []]);
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
