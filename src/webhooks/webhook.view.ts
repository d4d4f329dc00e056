import { is, view } from '@outreach/http-api/responses';
import { EVENT_NAMES } from './event-names.js';
import type { Webhook } from './webhook.entity.js';
import type { WebhookColumns } from './webhooks.queries.js';

/** A webhook without its internal columns. */
export type WebhookRecord = Omit<Webhook, 'secret' | 'paused_until' | 'leased_by' | 'lease_until'> & WebhookColumns;

const shape = {
  id: is.id,
  /** The address that events are sent to: `https`, at a public host. At most 255 characters. */
  url: is.string,
  /** The events that it receives. */
  events: is.arrayOf(is.oneOf(EVENT_NAMES)),
  /**
   * Whether events are sent. After ten failed attempts in a row the service sets it to `false`; setting it to `true`
   * resumes and sets `failure_count` to 0.
   */
  is_active: is.boolean,
  /** When an event was last sent, with or without success; null if none was. */
  last_triggered_at: is.nullable(is.timestamp),
  /** How many attempts in a row have failed. A success sets it to 0. Attempts with a former `url` or secret do not count. */
  failure_count: is.integer,
  /**
   * Until when nothing is attempted, because the last attempt has failed; null if nothing has to wait for that. A new `url`,
   * a new secret and `is_active: true` end the pause.
   */
  paused_until: is.nullable(is.timestamp),
  /**
   * When the next attempt at a delivery is made: after its own pause and that of the webhook; in the past if it is its turn now.
   * Null if nothing waits, or only what an inactive webhook does not get.
   */
  next_attempt_at: is.nullable(is.timestamp),
  /**
   * How many deliveries are due or wait for their next attempt, counted up to 10,000. Those of an inactive webhook wait until
   * it is active again, for at most 28 hours.
   */
  pending_count: is.integer,
  created_at: is.timestamp,
  updated_at: is.timestamp,
};

/** API v1, "Webhook". Does not contain the secret. */
export const webhookView = view('Webhook', shape);

/** A secret that was just created, not encrypted. */
export interface NewSecret {
  readonly id: number;
  readonly secret: string;
}

export const createdWebhookView = view(
  'WebhookWithSecret',
  {
    ...shape,
    /** The key with which deliveries are signed. This is the only response that shows it. */
    secret: is.string,
  },
  ({ webhook, secret }: { readonly webhook: WebhookRecord; readonly secret: string }) => ({
    ...webhookView.toJson(webhook),
    secret,
  }),
);

export const newSecretView = view('WebhookSecret', {
  id: is.id,
  /**
   * The new key with which deliveries are signed. This is the only response that shows it. The old one is not used any
   * more.
   */
  secret: is.string,
});

export const testResultView = view('WebhookTestResult', {
  /** Whether the receiver responded with a 2xx status. */
  success: is.boolean,
  /** The result in a sentence. */
  message: is.string,
  /** The HTTP status of the receiver; 0 if it was not reached. */
  status_code: is.integer,
});
