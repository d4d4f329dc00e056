import { resolve } from 'node:path';
import { InvalidSetting } from './parsers.js';
import { type LogLevel, type Role, type Setting, SETTINGS, type SettingName } from './settings.js';

/** The frozen configuration of one process. Durations are in seconds, `data_dir` is absolute. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly public_url: string;
  readonly database_url: string | undefined;
  readonly redis_url: string | undefined;
  readonly data_dir: string;
  readonly role: Role;
  readonly encryption_key: readonly string[] | undefined;
  readonly egress_allowed_cidrs: readonly string[];
  readonly rate_limit_per_minute: number;
  readonly webhook_retry_schedule: readonly number[];
  readonly webhook_probe_schedule: readonly number[];
  readonly sendgrid_base_url: string;
  readonly log_level: LogLevel;
  readonly trust_proxy: readonly string[];
}

/** Dependency-injection token of {@link Config}. */
export const CONFIG = Symbol('Config');

/** The configuration is wrong: `mistakes` holds one readable line for each wrong or missing setting. */
export class ConfigError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'));
  }
}

/**
 * Reads and checks all settings at once.
 * @param env the environment; an empty value counts as absent
 * @throws ConfigError with a line for every mistake, before anything is opened
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const mistakes: string[] = [];
  function read<T>(name: SettingName, setting: Setting<T>): T {
    const text = env[name]?.trim();
    if (!text) return setting.fallback;
    try {
      return setting.parse(text);
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      mistakes.push(`${name} ${error.message}.`);
      return setting.fallback;
    }
  }
  const config = readAll(read);
  if (config.database_url && !config.encryption_key && !mistakes.some((line) => line.startsWith('ENCRYPTION_KEY'))) {
    mistakes.push('ENCRYPTION_KEY is required with DATABASE_URL: set it to a random text of at least 16 characters.');
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return Object.freeze(config);
}

/** `DATABASE_URL` alone, for the migration command of TypeORM; empty where it is not set. */
export const databaseUrl = (): string => process.env.DATABASE_URL ?? '';

function readAll(read: <T>(name: SettingName, setting: Setting<T>) => T): Config {
  const port = read('PORT', SETTINGS.PORT);
  return {
    port,
    host: read('HOST', SETTINGS.HOST),
    public_url: read('PUBLIC_URL', SETTINGS.PUBLIC_URL) ?? `http://localhost:${port}`,
    database_url: read('DATABASE_URL', SETTINGS.DATABASE_URL),
    redis_url: read('REDIS_URL', SETTINGS.REDIS_URL),
    data_dir: resolve(read('DATA_DIR', SETTINGS.DATA_DIR)),
    role: read('ROLE', SETTINGS.ROLE),
    encryption_key: read('ENCRYPTION_KEY', SETTINGS.ENCRYPTION_KEY),
    egress_allowed_cidrs: read('EGRESS_ALLOWED_CIDRS', SETTINGS.EGRESS_ALLOWED_CIDRS),
    rate_limit_per_minute: read('RATE_LIMIT_PER_MINUTE', SETTINGS.RATE_LIMIT_PER_MINUTE),
    webhook_retry_schedule: read('WEBHOOK_RETRY_SCHEDULE', SETTINGS.WEBHOOK_RETRY_SCHEDULE),
    webhook_probe_schedule: read('WEBHOOK_PROBE_SCHEDULE', SETTINGS.WEBHOOK_PROBE_SCHEDULE),
    sendgrid_base_url: read('SENDGRID_BASE_URL', SETTINGS.SENDGRID_BASE_URL) ?? 'https://api.sendgrid.com',
    log_level: read('LOG_LEVEL', SETTINGS.LOG_LEVEL),
    trust_proxy: read('TRUST_PROXY', SETTINGS.TRUST_PROXY),
  };
}
