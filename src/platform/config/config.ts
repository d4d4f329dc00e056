import { resolve } from 'node:path';
import { type ConfigOf, type Environment, readValue, readValues } from '@outreach/settings';
import { OperatorError } from '../errors/index.js';
import { platformSettings } from './platform-settings.js';

/** The part of the configuration that the platform declares. Durations are in seconds, `data_dir` is absolute. */
export type Config = ConfigOf<typeof platformSettings>;

/** Dependency-injection token of the configuration; each module injects the part that it declares. */
export const CONFIG = Symbol('Config');

/** The configuration is wrong: `mistakes` has one readable line for each wrong or missing setting. */
export class ConfigError extends OperatorError {
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'));
  }
}

/**
 * Reads and checks all settings, and freezes them.
 * @param settings those of the platform and of all modules
 * @param env the environment; an empty value counts as absent, and a secret may be in a file
 * @throws ConfigError with a line for every mistake, before anything is opened
 */
export function loadSettings<Declared extends typeof platformSettings>(
  settings: Declared,
  env: Environment,
): ConfigOf<Declared> {
  const read = readValues(settings, env);
  const mistakes = [...read.mistakes];
  const config = read.values as Config;
  if (config.database_url && !config.encryption_key && !mistakes.some((line) => line.startsWith('ENCRYPTION_KEY'))) {
    mistakes.push('ENCRYPTION_KEY is required with DATABASE_URL: set it to a random text of at least 16 characters.');
  }
  if (config.metrics_port === config.port && config.role !== 'worker') {
    mistakes.push(`METRICS_PORT must be another port than PORT, which is ${config.port}.`);
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const public_url = config.public_url || `http://localhost:${config.port}`;
  return Object.freeze({ ...config, public_url, data_dir: resolve(config.data_dir) }) as ConfigOf<Declared>;
}

/**
 * Returns `DATABASE_URL` for the migration command of TypeORM, which needs no other setting; undefined if it is not set or wrong,
 * because that command's configuration is also loaded by processes that report all mistakes together.
 */
export const databaseUrl = (): string | undefined =>
  readValue('DATABASE_URL', platformSettings.DATABASE_URL, process.env);
