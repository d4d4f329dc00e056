import { Injectable } from '@nestjs/common';
import { NotFound } from '../../platform/errors/index.js';
import { JobQueue } from '../../platform/queue/index.js';
import { Page, type WorkspaceScope } from '../../platform/tenancy/index.js';
import { DELIVERING } from '../queues.js';
import type { LogListQuery } from './log-list.query.js';
import { rangesOf, totalOf } from './log-pages.js';
import { countLogs, type ListedLog, readLogs } from './logs.queries.js';
import { redeliver } from './redelivery.queries.js';

/** What was attempted for a webhook. */
@Injectable()
export class WebhookLogs {
  constructor(private readonly jobQueue: JobQueue) {}

  /** The kept counts say where the page is, so that it costs the same however many logs there are. */
  async page(scope: WorkspaceScope, webhookId: number, list: LogListQuery): Promise<Page<ListedLog>> {
    const owner = { scope, webhook_id: webhookId };
    const groups = await countLogs(owner, list);
    const ranges = rangesOf(groups, list);
    const logs = ranges.length > 0 ? await readLogs(owner, list, ranges) : [];
    return new Page(logs, totalOf(groups), list);
  }

  /** Sends what a log tells of once more, to an inactive webhook too. @throws NotFound */
  async redeliver(scope: WorkspaceScope, webhookId: number, logId: number): Promise<{ delivery_id: string }> {
    const delivery = await redeliver(scope, webhookId, logId);
    if (!delivery) throw new NotFound('Webhook log');
    this.jobQueue.enqueue(DELIVERING, [{ workspace_id: scope.workspace_id, id: webhookId }]);
    return delivery;
  }
}
