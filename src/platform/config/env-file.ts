import type { ConfigOf, Environment } from '@outreach/settings';
import { ConfigError, loadSettings } from './config.js';
import type { platformSettings } from './platform-settings.js';

const ENV_FILE = '.env';

/**
 * The settings from the environment and from the file `.env` in the working directory, if there is one. The environment
 * takes precedence.
 * @param defaults instead of those of the settings
 * @throws ConfigError with a line for every mistake, before anything is opened
 */
export function readSettings<Declared extends typeof platformSettings>(
  settings: Declared,
  defaults: Environment = {},
): ConfigOf<Declared> {
  try {
    process.loadEnvFile(ENV_FILE);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isAbsent = 'code' in error && error.code === 'ENOENT';
    if (!isAbsent) throw new ConfigError([`The file ${ENV_FILE} cannot be read: ${error.message}`]);
  }
  return loadSettings(settings, { ...defaults, ...process.env });
}
