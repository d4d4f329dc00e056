import { type ConfigOf, parseDurations, parseInteger, setting } from '@outreach/settings';

/** When failed deliveries are repeated, in seconds. */
export const webhooksSettings = {
  WEBHOOK_RETRY_SCHEDULE: setting(
    'Seconds before each retry of a webhook delivery; `none` turns retries off.',
    parseDurations,
    [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  ),
  WEBHOOK_PROBE_SCHEDULE: setting(
    'Seconds between the attempts to a failing webhook, by its failure count; `none` turns the pauses off.',
    parseDurations,
    [5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400],
  ),
  EVENT_RETENTION_DAYS: setting(
    'Days for which events can be read with `GET /events`; 0 stores none, which saves a few writes per message.',
    parseInteger(0, 365),
    7,
  ),
};

/** The part of the configuration that webhooks declare. */
export type WebhooksConfig = ConfigOf<typeof webhooksSettings>;
