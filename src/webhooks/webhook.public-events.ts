import { Injectable } from '@nestjs/common';
import { PublicEvent } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { type WebhookRecord, webhookView } from './webhook.view.js';
import type { WebhookDisabled } from './webhook.events.js';
import { webhookRecords } from './webhooks.queries.js';

const DISABLED_AT = new Date('2026-03-17T16:45:03.211Z');

const EXAMPLE: WebhookRecord = {
  workspace_id: 1,
  id: 3,
  url: 'https://crm.example.com/hooks/outreach',
  events: ['email.sent', 'email.bounced'],
  is_active: false,
  last_triggered_at: DISABLED_AT,
  failure_count: 10,
  paused_until: null,
  next_attempt_at: null,
  pending_count: 3,
  created_at: new Date('2026-03-02T09:00:00.000Z'),
  updated_at: DISABLED_AT,
};

/** Public events of webhooks, which are sent to other webhooks of the workspace. */
@Injectable()
export class WebhookPublicEvents {
  @PublicEvent('webhook.disabled', {
    when: 'Ten attempts in a row to deliver to another webhook have failed, so that webhook was made inactive.',
    view: webhookView,
    example: EXAMPLE,
  })
  async *disabled(scope: WorkspaceScope, { webhook_id: id }: WebhookDisabled): AsyncGenerator<WebhookRecord[]> {
    yield webhookRecords(scope).findByIds([id]);
  }
}
