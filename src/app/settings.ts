import type { ConfigOf, Environment } from '@outreach/settings';
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
export const loadConfig = (env: Environment): ServiceConfig => loadSettings(SETTINGS, env);

/**
 * The configuration of this process, from its environment and the file `.env`.
 * @param defaults instead of those of the settings
 * @throws ConfigError with a line for every mistake
 */
export const readConfig = (defaults?: Environment): ServiceConfig => readSettings(SETTINGS, defaults);
