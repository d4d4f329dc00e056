import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { reasonOf } from '@outreach/command-line';
import { StartFailed } from './start-failed.js';

/**
 * Checks that uploaded files can be written.
 * @throws StartFailed
 */
export async function assertTemporaryDirectory(): Promise<void> {
  const directory = tmpdir();
  try {
    await access(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartFailed(
      `The directory for temporary files ${directory} cannot be used: ${reasonOf(error)}. Set TMPDIR to another one.`,
    );
  }
}
