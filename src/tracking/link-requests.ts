import { Injectable } from '@nestjs/common';
import { visitorOf } from '@outreach/bot-detection';
import { NotFound } from '@outreach/http-errors';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { TrackingService } from './events/tracking.service.js';
import { recipientRequestOf } from './unsubscribe/unsubscribe-form.js';
import { UnsubscribeService } from './unsubscribe/unsubscribe.service.js';

/** A request of a recipient for an address in a message, as a web server reads it. */
export interface LinkRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const PATH = /\/(t\/o|t\/c|u)\/([\w.~-]+)$/;

/** Handles requests that do not come over the network, as the controllers do. */
@Injectable()
export class LinkRequests {
  constructor(
    private readonly tracking: TrackingService,
    private readonly unsubscribing: UnsubscribeService,
  ) {}

  /**
   * Handles a request in the transaction of the caller. A link that is not valid, or whose recipient was deleted, has no
   * effect.
   */
  async handle(tx: WorkspaceScope, request: LinkRequest): Promise<void> {
    try {
      await this.route(tx, request);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }

  private async route(tx: WorkspaceScope, { method, url, headers, body }: LinkRequest): Promise<void> {
    const [, path, token = ''] = PATH.exec(new URL(url).pathname) ?? [];
    const visitor = visitorOf({ method, headers: { ...headers } });
    if (path === 't/o') await this.tracking.open(token.replace(/\.gif$/, ''), visitor, tx);
    else if (path === 't/c') await this.tracking.follow(token, visitor, tx);
    else if (path === 'u' && method === 'POST') await this.unsubscribe(tx, token, body);
  }

  private async unsubscribe(tx: WorkspaceScope, token: string, body: Buffer = Buffer.alloc(0)): Promise<void> {
    const request = recipientRequestOf(body);
    if (request.kind === 'refuse tracking') await this.unsubscribing.refuseTracking(token, tx);
    else await this.unsubscribing.unsubscribe(token, request.source, tx);
  }
}
