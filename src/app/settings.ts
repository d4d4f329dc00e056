import type { ConfigOf } from '@outreach/settings';
import { emailAccountsSettings } from '../email-accounts/email-accounts.settings.js';
import { inboundSettings } from '../inbound/inbound.settings.js';
import { loadSettings, platformSettings, readSettings } from '../platform/config/index.js';
import { limitsSettings } from '../platform/limits/index.js';
import { personalDataSettings } from '../personal-data/personal-data.settings.js';
import { trackingSettings } from '../tracking/tracking.settings.js';
import { webhooksSettings } from '../webhooks/webhooks.settings.js';

const { LOG_LEVEL, LOG_FORMAT, TRUST_PROXY, ...firstSettings } = platformSettings;

/** Every setting of the service, in the order in which the documentation lists them. */
export const SETTINGS = {
  ...firstSettings,
  ...limitsSettings,
  ...webhooksSettings,
  ...personalDataSettings,
  ...emailAccountsSettings,
  ...inboundSettings,
  ...trackingSettings,
  LOG_LEVEL,
  LOG_FORMAT,
  TRUST_PROXY,
};

/** The frozen configuration of one process. */
export type ServiceConfig = ConfigOf<typeof SETTINGS>;

/**
 * The configuration from an environment.
 * @throws ConfigError with a line for every mistake
 */
export const loadConfig = (env: Readonly<Record<string, string | undefined>>): ServiceConfig =>
  loadSettings(SETTINGS, env);

/**
 * The configuration of this process, from its environment and the file `.env`.
 * @throws ConfigError with a line for every mistake
 */
export const readConfig = (): ServiceConfig => readSettings(SETTINGS);
