import { access, constants, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { hasCluster } from '@outreach/embedded-postgres';
import { type Check, type CheckOutcome, failure, ok, reasonOf, warning } from '@outreach/command-line';
import type { ServiceConfig } from '../settings.js';
import { assertTemporaryDirectory } from '../temporary-directory.js';

const GB = 1_073_741_824;
const MIN_FREE_GB = 0.2;
const LOW_FREE_GB = 2;

/** The settings are valid, or the configuration would not exist. */
export function checkSettings(config: ServiceConfig): Check {
  return {
    name: 'settings',
    advice: 'Correct the settings.',
    run: async () => {
      const { hostname, protocol } = new URL(config.public_url);
      const isLocal = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]';
      if (config.database_url && (isLocal || protocol !== 'https:')) {
        const advice = 'Set PUBLIC_URL to the https:// address that recipients reach.';
        return [warning(`valid, but links in mail start with ${config.public_url}`, advice)];
      }
      return [ok(`valid; role ${config.role}, links start with ${config.public_url}`)];
    },
  };
}

/** The directory of the embedded database, its space and its permissions, and that of temporary files. */
export function checkDisk(config: ServiceConfig): Check {
  return {
    name: 'disk',
    advice: 'Run this as the account that runs the service, or correct DATA_DIR and TMPDIR.',
    run: async () => {
      await assertTemporaryDirectory();
      const findings = [await freeSpace('temporary files', tmpdir())];
      return config.database_url ? findings : [await dataDirectory(config.data_dir), ...findings];
    },
  };
}

async function dataDirectory(directory: string): Promise<CheckOutcome> {
  const exists = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!exists || !(await hasCluster(directory))) {
    return warning(`${directory} contains no database yet`, 'Start the service ("outreach serve"), or set DATA_DIR.');
  }
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const advice = 'Run the service as the account that owns the directory.';
    return failure(`${directory} cannot be written: ${reasonOf(error)}`, advice);
  }
  return freeSpace('data directory', directory);
}

async function freeSpace(name: string, directory: string): Promise<CheckOutcome> {
  const { bavail, bsize } = await statfs(directory);
  const free = (bavail * bsize) / GB;
  const message = `${name} ${directory}: ${free.toFixed(1)} GB free`;
  if (free < MIN_FREE_GB) return failure(message, 'Free some space: writing fails when the disk is full.');
  return free < LOW_FREE_GB ? warning(message, 'Free some space soon.') : ok(message);
}
