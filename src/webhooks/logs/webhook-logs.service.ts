import { Injectable } from '@nestjs/common';
import { NotFound } from '../../platform/errors/index.js';
import { JobQueue } from '../../platform/queue/index.js';
import { pageLimit, type Page, pageOfRecords, type WorkspaceScope } from '../../platform/tenancy/index.js';
import { DELIVERING } from '../queues.js';
import type { LogListQuery } from './log-list.query.js';
import { rangesAfter, rangesOf, totalOf } from './log-pages.js';
import { countLogs, lastLogAt, type ListedLog, logPosition, readLogs } from './logs.queries.js';
import { redeliver } from './redelivery.queries.js';

/** The delivery attempts of webhooks. */
@Injectable()
export class WebhookLogs {
  constructor(private readonly jobQueue: JobQueue) {}

  /** Finds the page with the stored counts, so the cost does not depend on the number of logs. */
  async page(scope: WorkspaceScope, webhookId: number, list: LogListQuery): Promise<Page<ListedLog>> {
    const owner = { scope, webhook_id: webhookId };
    const groups = await countLogs(owner, list);
    const last = list.position ? lastLogAt(list.position) : undefined;
    const window = { direction: list.direction, offset: list.offset, per_page: pageLimit(list) };
    const ranges = list.position === undefined ? rangesOf(groups, window) : rangesAfter(groups, window, last);
    const logs = ranges.length > 0 ? await readLogs(owner, list, ranges, last) : [];
    return pageOfRecords(logs, totalOf(groups), list, (log) => logPosition(list, log));
  }

  /** Delivers the event of a log again, even to an inactive webhook. @throws NotFound */
  async redeliver(scope: WorkspaceScope, webhookId: number, logId: number): Promise<{ delivery_id: string }> {
    const delivery = await redeliver(scope, webhookId, logId);
    if (!delivery) throw new NotFound('Webhook log');
    const key = { workspace_id: scope.workspace_id, id: webhookId };
    scope.afterCommit(() => this.jobQueue.enqueue(DELIVERING, [key]));
    return delivery;
  }
}
