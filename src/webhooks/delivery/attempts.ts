import { Injectable } from '@nestjs/common';
import { HttpsClient } from '../../platform/egress/index.js';
import { type AttemptResult, resultOf } from './attempt-result.js';
import { type AttemptRequest, signedHeaders } from './signed-headers.js';

const MS = 1000;

/** Sends signed bodies to receivers (API v1, "Events"). What the receiver does is a result, never an error. */
@Injectable()
export class Attempts {
  constructor(private readonly client: HttpsClient) {}

  /** One attempt, 10 seconds at most. */
  async make(request: AttemptRequest): Promise<AttemptResult> {
    const headers = signedHeaders(request, Math.floor(Date.now() / MS));
    const outcome = await this.client.post(new URL(request.url), { headers, body: Buffer.from(request.body) });
    return resultOf(outcome, new Date());
  }
}
