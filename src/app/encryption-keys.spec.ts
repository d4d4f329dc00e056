import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUsableKey } from '@outreach/keyring';
import { generateKeyFile } from './encryption-keys.js';

describe('the generated encryption key', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keys-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is the same for all processes that generate it at the same time, and closed to others', async () => {
    const path = join(folder, 'data', 'encryption.key');
    const keys = new Set(await Promise.all(Array.from({ length: 20 }, () => generateKeyFile(path))));
    expect([...keys]).toEqual([(await readFile(path, 'utf8')).trim()]);
    expect([...keys].every(isUsableKey)).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'data'))).toEqual(['encryption.key']);
  });
});
