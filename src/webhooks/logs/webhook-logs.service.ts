import { rangesAfter, rangesOf, totalOf } from '@outreach/log-pages';
import { Injectable } from '@nestjs/common';
import { JobQueue } from '@outreach/job-queue';
import { NotFound, ValidationFailed } from '@outreach/http-errors';
import { pageLimit, type Page, pageOfRecords, type WorkspaceScope } from '../../platform/tenancy/index.js';
import type { RedeliverWebhookDto } from '../dto/redeliver-webhook.dto.js';
import { DELIVERING } from '../queues.js';
import { lockWebhook } from '../webhooks.queries.js';
import { findLastAttempts, MAX_REDELIVERIES, redeliverAll } from './bulk-redelivery.queries.js';
import type { LogListQuery } from './log-list.query.js';
import { countLogs, lastLogAt, type ListedLog, logPosition, readLogs } from './logs.queries.js';
import { redeliver } from './redelivery.queries.js';

const TOO_MANY = `the range has more than ${MAX_REDELIVERIES} deliveries: choose a shorter one`;

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
    this.enqueue(scope, webhookId);
    return delivery;
  }

  /**
   * Delivers the events of a range of logs again, each delivery once, even to an inactive webhook.
   * @throws ValidationFailed if the range has too many; NotFound
   */
  async redeliverRange(
    scope: WorkspaceScope,
    webhookId: number,
    range: RedeliverWebhookDto,
  ): Promise<{ count: number }> {
    const owner = { scope: scope.withoutStatementLimit(), webhook_id: webhookId };
    const logs = await findLastAttempts(owner, range);
    if (logs.length > MAX_REDELIVERIES) throw new ValidationFailed({ to: [TOO_MANY] });
    if (logs.length === 0) return { count: 0 };
    return owner.scope.transaction(async (tx) => {
      if (!(await lockWebhook(tx, webhookId))) throw new NotFound('Webhook');
      const count = await redeliverAll({ scope: tx, webhook_id: webhookId }, logs);
      this.enqueue(tx, webhookId);
      return { count };
    });
  }

  private enqueue(scope: WorkspaceScope, webhookId: number): void {
    const key = { workspace_id: scope.workspace_id, id: webhookId };
    scope.afterCommit(() => this.jobQueue.enqueue(DELIVERING, [key]));
  }
}
