import { Injectable } from '@nestjs/common';
import { wallClock } from '../../platform/clock/index.js';
import { HttpsClient } from '@outreach/egress';
import { type AttemptRequest, type AttemptResult, attemptResult, signedHeaders } from '@outreach/webhook-delivery';

const MS = 1000;

/** Sends signed requests to receivers (API v1, "Events"). */
@Injectable()
export class WebhookSender {
  constructor(private readonly client: HttpsClient) {}

  /** Makes one attempt, which takes at most 10 seconds. Every response, timeout and network error is a result. */
  async send(request: AttemptRequest): Promise<AttemptResult> {
    const headers = signedHeaders(request, Math.floor(wallClock.now().getTime() / MS));
    const response = await this.client.post(new URL(request.url), { headers, body: Buffer.from(request.body) });
    return attemptResult(response, wallClock.now());
  }
}
