import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from './config.js';
import { platformSettings } from './platform-settings.js';

describe('a secret in a file', () => {
  const KEY = 'a key that only tests use';
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'outreach-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const load = (env: Record<string, string>) => loadSettings(platformSettings, env);

  it('is read without the line break at its end', () => {
    const config = load({
      DATABASE_URL_FILE: file('database', 'postgres://u:p@one/d\n'),
      QUEUE_DATABASE_URL_FILE: file('queue', '\uFEFFpostgres://u:p@two/d\r\n'),
      REDIS_URL_FILE: file('redis', ' redis://:p@three '),
      ENCRYPTION_KEY_FILE: file('key', `${KEY}, ${KEY} 2\n\n`),
    });
    expect(config).toMatchObject({
      database_url: 'postgres://u:p@one/d',
      queue_database_url: 'postgres://u:p@two/d',
      redis_url: 'redis://:p@three',
      encryption_key: [KEY, `${KEY} 2`],
    });
  });

  it('counts as absent if its variable is empty', () => {
    expect(load({ DATABASE_URL_FILE: '', REDIS_URL: 'redis://one' })).toMatchObject({
      database_url: undefined,
      redis_url: 'redis://one',
    });
  });

  it('is only read for secrets', () => {
    expect(load({ PORT_FILE: join(folder, 'missing') })).toMatchObject({ port: 3000 });
  });

  it.each([
    [
      'is missing',
      () => join(folder, 'missing'),
      /^ENCRYPTION_KEY cannot be read from the file of .*_FILE: ENOENT.*\.$/,
    ],
    ['is a directory', () => folder, /^ENCRYPTION_KEY cannot be read from the file of ENCRYPTION_KEY_FILE: EISDIR/],
    ['is empty', () => file('empty', ' \n'), /^ENCRYPTION_KEY must be one line in the file .* is empty\.$/],
    ['has several lines', () => file('lines', `${KEY}\n${KEY}`), /^ENCRYPTION_KEY must be one line .* has several\.$/],
    ['has a wrong value', () => file('short', 'short'), /^ENCRYPTION_KEY must be comma-separated keys/],
  ])('stops the start with one line if the file %s', (_, path, line) => {
    expect(() => load({ DATABASE_URL: 'postgres://one/d', ENCRYPTION_KEY_FILE: path() })).toThrow(line);
  });

  it('stops the start if the value is set, too', () => {
    const DATABASE_URL_FILE = file('database', 'postgres://one/d');
    expect(() => load({ DATABASE_URL: 'postgres://two/d', DATABASE_URL_FILE, ENCRYPTION_KEY: KEY })).toThrow(
      /^DATABASE_URL is set, and so is DATABASE_URL_FILE: remove one of them\.$/,
    );
  });
});
