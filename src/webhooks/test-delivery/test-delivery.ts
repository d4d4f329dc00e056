import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { AttemptResult } from '@outreach/webhook-delivery';
import { WebhookSender } from '../delivery/webhook-sender.js';
import { eventBody } from '../event-body.js';
import { TEST_EVENT } from '../event-names.js';
import { WebhookSecrets } from '../webhook-secrets.js';
import { findTarget } from '../webhooks.queries.js';
import { logTestDelivery } from './log-test-delivery.queries.js';
import { testEventView } from './test-event.js';

/** The result of a test delivery. */
export interface TestDeliveryResult {
  readonly success: boolean;
  /** A sentence for the owner of the webhook. */
  readonly message: string;
  /** 0 if the endpoint was not reached. */
  readonly status_code: number;
}

/** Sends test deliveries and waits for the response. They are logged but not counted (API v1, "Webhooks"). */
@Injectable()
export class TestDelivery {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
  ) {}

  /**
   * Takes at most 10 seconds. Every response, timeout and network error is a result.
   * @throws NotFound, SecretUnreadable
   */
  async run(scope: WorkspaceScope, id: number): Promise<TestDeliveryResult> {
    const { url, secret } = await findTarget(scope, id);
    const request = {
      url,
      secret: this.secrets.decrypt(scope, secret),
      event: TEST_EVENT,
      body: eventBody(scope, TEST_EVENT, testEventView.toJson(scope.clock.now())),
      delivery_id: randomUUID(),
      attempt: 1,
    };
    const result = await this.sender.send(request);
    await logTestDelivery(scope, id, request, result);
    return { success: result.success, message: messageFor(result), status_code: result.status_code };
  }
}

function messageFor({ success, status_code: status, response }: AttemptResult): string {
  if (success) return `The endpoint responded with status ${status}.`;
  if (status === 0) return `The endpoint was not reached: ${response}.`;
  return `The endpoint responded with status ${status}. A delivery succeeds with a complete response of status 200 to 299.`;
}
