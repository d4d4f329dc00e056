import { is, timestamp, view } from '../platform/http/index.js';
import { EVENT_NAMES } from './event-names.js';
import type { TestDeliveryResult } from './test-delivery/test-delivery.js';
import type { Webhook } from './webhook.entity.js';

/** A webhook without its internal columns. */
export type WebhookRecord = Omit<Webhook, 'secret' | 'paused_until' | 'leased_by' | 'lease_until'>;

const shape = {
  id: is.id,
  url: is.string,
  events: is.arrayOf(is.oneOf(EVENT_NAMES)),
  is_active: is.boolean,
  last_triggered_at: is.nullable(is.timestamp),
  failure_count: is.integer,
  created_at: is.timestamp,
  updated_at: is.timestamp,
};

const show = (webhook: WebhookRecord) => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  is_active: webhook.is_active,
  last_triggered_at: timestamp(webhook.last_triggered_at),
  failure_count: webhook.failure_count,
  created_at: timestamp(webhook.created_at),
  updated_at: timestamp(webhook.updated_at),
});

/** API v1, "Webhook". Does not contain the secret. */
export const webhookView = view('Webhook', shape, show);

/** A secret that was just created, not encrypted. */
export interface NewSecret {
  readonly id: number;
  readonly secret: string;
}

export const createdWebhookView = view(
  'WebhookWithSecret',
  { ...shape, secret: is.string },
  ({ webhook, secret }: { readonly webhook: WebhookRecord; readonly secret: string }) => ({ ...show(webhook), secret }),
);

export const newSecretView = view('WebhookSecret', { id: is.id, secret: is.string }, ({ id, secret }: NewSecret) => ({
  id,
  secret,
}));

export const testResultView = view(
  'WebhookTestResult',
  { success: is.boolean, message: is.string, status_code: is.integer },
  ({ success, message, status_code }: TestDeliveryResult) => ({ success, message, status_code }),
);
