import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { BackgroundSteps } from '../../platform/concurrency/index.js';
import { DatabaseUnavailable } from '../../platform/database/index.js';
import { Log } from '../../platform/logging/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { DeliveryReports, type ReportedMessages } from '../../sending/index.js';
import { groupReports, reportedBy, reportedMessageIds, type ReportedMessage } from './sendgrid-events.js';
import {
  type CallbackChoice,
  deleteCallback,
  dueCallbackIds,
  postponeCallback,
  type StoredCallback,
  takeCallbacks,
} from './callbacks.queries.js';

/** After how many failed attempts, over about an hour, a request is given up. */
const MAX_ATTEMPTS = 5;

const processed = new Counter({
  name: 'outreach_callbacks_processed_total',
  help: 'Stored requests with events of providers that this process has processed',
});

/** Records the events of stored requests: many of them in one transaction, with few statements. */
@Injectable()
export class CallbackBatches {
  constructor(
    private readonly deliveryReports: DeliveryReports,
    private readonly steps: BackgroundSteps,
    private readonly log: Log,
  ) {}

  /**
   * Processes the oldest requests that wait. If that fails, processes each of them alone; one that fails alone is
   * postponed.
   * @returns how many it has taken from the table. @throws DatabaseUnavailable
   */
  async run(scope: WorkspaceScope, waits = false): Promise<number> {
    try {
      return await this.process(scope, { waits });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      this.log.warn('a batch of callbacks failed; they are processed one by one', { error });
      return this.runEach(scope);
    }
  }

  private async runEach(scope: WorkspaceScope): Promise<number> {
    let count = 0;
    for (const id of await dueCallbackIds(scope)) count += await this.runOne(scope, id);
    return count;
  }

  private async runOne(scope: WorkspaceScope, id: number): Promise<number> {
    try {
      return await this.process(scope, { id, waits: false });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      const isLast = (await postponeCallback(scope, id)) >= MAX_ATTEMPTS;
      if (isLast) await deleteCallback(scope, id);
      this.log.error(isLast ? 'a callback was given up' : 'a callback failed', { callback_id: id, error });
      return 0;
    }
  }

  /** The requests are deleted in the transaction that records their events. */
  private async process(scope: WorkspaceScope, choice: CallbackChoice): Promise<number> {
    let count = 0;
    await this.deliveryReports.recordAll(scope, async (tx) => {
      const callbacks = await takeCallbacks(tx, choice);
      count = callbacks.length;
      return this.reportsIn(tx, callbacks);
    });
    processed.inc(count);
    return count;
  }

  /**
   * In the order of their events; equal reports about several messages are one. Only events about known messages are read, in
   * short steps.
   */
  private async reportsIn(tx: WorkspaceScope, callbacks: readonly StoredCallback[]): Promise<ReportedMessages[]> {
    const parsed: ReceivedEvent[][] = [];
    for await (const some of this.steps.map(tx.workspace_id, callbacks, eventsOf)) parsed.push(...some);
    const events = parsed.flat();
    const found = await this.deliveryReports.find(tx, reportedMessageIds(events.map(({ event }) => event)));
    if (found.size === 0) return [];
    const reports: ReportedMessage[] = [];
    const read = ({ event, at }: ReceivedEvent) => reportedBy(event, at, found);
    for await (const some of this.steps.map(tx.workspace_id, events, read))
      reports.push(...some.filter((report) => report !== undefined));
    return groupReports(reports).map(({ message_ids: messageIds, report }) => ({
      ids: [...new Set(messageIds.flatMap((messageId) => found.get(messageId) ?? []))],
      report,
    }));
  }
}

/** An event, and when its request was received. */
interface ReceivedEvent {
  readonly event: unknown;
  readonly at: Date;
}

/** What was stored is an array: see `SendgridEventsService`. */
function eventsOf({ body, received_at: at }: StoredCallback): ReceivedEvent[] {
  const events: unknown = JSON.parse(body.toString('utf8'));
  return Array.isArray(events) ? events.map((event: unknown) => ({ event, at })) : [];
}
