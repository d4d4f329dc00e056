import { ConfigError, type Config, loadConfig } from './config.js';

const ENV_FILE = '.env';

/**
 * The configuration from the environment and from the file `.env` in the working directory, where there is one; what
 * the environment says wins.
 * @throws ConfigError with a line for every mistake, before anything is opened
 */
export function readConfig(): Config {
  try {
    process.loadEnvFile(ENV_FILE);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isAbsent = 'code' in error && error.code === 'ENOENT';
    if (!isAbsent) throw new ConfigError([`The file ${ENV_FILE} cannot be read: ${error.message}`]);
  }
  return loadConfig();
}
