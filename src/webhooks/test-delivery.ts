import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { AttemptResult } from './delivery/attempt-result.js';
import { Attempts } from './delivery/attempts.js';
import { bodyOf } from './event-body.js';
import { TEST_EVENT } from './event-names.js';
import { logTest } from './logs/log-test.queries.js';
import { WebhookSecrets } from './secrets.js';
import { testEventView } from './test-event.js';
import { findTarget } from './webhooks.queries.js';

/** How a test went, in words for the owner of the webhook. */
export interface TestResult {
  readonly success: boolean;
  readonly message: string;
  /** 0 where the endpoint was not reached. */
  readonly status_code: number;
}

/** Sends a test and waits for the answer. It is logged, and counts nowhere (API v1, "Webhooks"). */
@Injectable()
export class TestDelivery {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly attempts: Attempts,
  ) {}

  /** 10 seconds at most. What the receiver does is a result, never an error. @throws NotFound */
  async run(scope: WorkspaceScope, id: number): Promise<TestResult> {
    const { url, secret } = await findTarget(scope, id);
    const request = {
      url,
      secret: this.secrets.decrypt(scope, secret),
      event: TEST_EVENT,
      body: bodyOf(scope, TEST_EVENT, testEventView.toJson(new Date())),
      delivery_id: randomUUID(),
      attempt: 1,
    };
    const result = await this.attempts.make(request);
    await logTest(scope, id, request, result);
    return { success: result.success, message: sentence(result), status_code: result.status_code };
  }
}

function sentence({ success, status_code: status, response }: AttemptResult): string {
  if (success) return `The endpoint answered with status ${status}.`;
  if (status === 0) return `The endpoint was not reached: ${response}.`;
  return `The endpoint answered with status ${status}; a delivery succeeds with a complete answer of status 200 to 299.`;
}
