export interface WebhookDisabled {
  readonly webhook_id: number;
}

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /** Ten attempts in a row have failed, so it was made inactive. */
    'webhook.disabled': WebhookDisabled;
  }
}
