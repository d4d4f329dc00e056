import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { giveToDirectoryOwner } from '@outreach/embedded-postgres';
import { reasonOf } from '@outreach/command-line';
import type { DataSource } from 'typeorm';
import { generateKey, isUsableKey } from '@outreach/keyring';
import type { Config } from '../platform/config/index.js';
import { sql } from '../platform/database/index.js';
import { keyIsNeeded } from './encryption-keys.cross-tenant.js';
import { StartFailed } from './start-failed.js';

/**
 * @returns the keys that encrypt stored secrets: those of `ENCRYPTION_KEY`, else the one in `DATA_DIR`, which is
 *   generated at the first start
 * @throws StartFailed if the key file cannot be read or written, contains no key, or is missing while secrets need it
 */
export async function encryptionKeys(config: Config, source: DataSource): Promise<readonly string[]> {
  return (await existingKeys(config)) ?? [await newKey(keyFile(config), source)];
}

/**
 * @returns the keys that encrypt stored secrets, undefined if there are none yet. Generates none.
 * @throws StartFailed if the key file cannot be read or contains no key
 */
export async function existingKeys(
  config: Pick<Config, 'encryption_key' | 'data_dir'>,
): Promise<readonly string[] | undefined> {
  if (config.encryption_key) return config.encryption_key;
  const path = keyFile(config);
  try {
    const key = (await readFile(path, 'utf8')).trim();
    if (isUsableKey(key)) return [key];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartFailed(`Cannot read the encryption key ${path}: ${reasonOf(error)}.`);
  }
  throw new StartFailed(
    `${path} contains no encryption key; restore it from a backup, because stored secrets need it.`,
  );
}

const keyFile = (config: Pick<Config, 'data_dir'>): string => join(config.data_dir, 'encryption.key');

/** Refuses to replace a lost key, because a new one cannot read any stored secret or any link that was sent. */
async function newKey(path: string, source: DataSource): Promise<string> {
  const { text, values } = sql`SELECT ${keyIsNeeded} AS is_needed`.toQuery();
  const [row] = await source.query<{ is_needed: boolean }[]>(text, values);
  if (row?.is_needed)
    throw new StartFailed(`${path} is missing; restore it from a backup, because stored secrets need it.`);
  return generateKeyFile(path);
}

/**
 * Writes a draft and links it, so that a crash leaves a complete key or none, and all processes that do this at the same
 * time use the first key. @returns that key @throws StartFailed
 */
export async function generateKeyFile(path: string): Promise<string> {
  const key = generateKey();
  const draft = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await giveToDirectoryOwner(draft);
    await link(draft, path);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return (await readFile(path, 'utf8')).trim();
    throw new StartFailed(`Cannot write the encryption key ${path}: ${reasonOf(error)}.`);
  } finally {
    await rm(draft, { force: true });
  }
}
