/** A webhook that was disabled. */
export interface WebhookDisabled {
  readonly webhook_id: number;
}

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /** The webhook was made inactive after ten failed attempts in a row. */
    'webhook.disabled': WebhookDisabled;
  }
}
