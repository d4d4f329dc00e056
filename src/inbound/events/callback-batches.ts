import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Log } from '@outreach/logging';
import { BackgroundSteps } from '@outreach/concurrency';
import { DatabaseUnavailable } from '@outreach/database';
import type { EventReport } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { DeliveryReports, type ReportedMessages } from '../../sending/index.js';
import {
  type CallbackBody,
  type CallbackChoice,
  dueCallbackIds,
  type StoredCallback,
  takeCallbacks,
} from './callbacks.queries.js';
import { lockCallback, postponeOrDelete, splitCallback } from './failed-callbacks.queries.js';
import { groupReports, reportedBy, type ReportedMessage, reportsIn } from './reports.js';

/** For how long requests and their events are processed one by one. What is left is found by the next run. */
const ONE_BY_ONE_MS = 1_000;

const givenUp = new Counter({
  name: 'outreach_callbacks_given_up_total',
  help: 'Events of providers that this process has deleted because they could not be recorded for seven days',
});

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
   * Processes the oldest requests that wait. If that fails, processes each of them alone, and each event of those that fail
   * alone. An event that fails alone is postponed.
   * @returns how many requests it has processed or divided. @throws DatabaseUnavailable
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
    const until = performance.now() + ONE_BY_ONE_MS;
    const ids = await dueCallbackIds(scope);
    let count = 0;
    // The events of a divided request are appended, and so come after the other requests.
    for (const id of ids) {
      if (performance.now() > until) break;
      const { done, events } = await this.runOne(scope, id);
      if (done) count += 1;
      ids.push(...events);
    }
    return count;
  }

  private async runOne(scope: WorkspaceScope, id: number): Promise<OneResult> {
    try {
      return { done: (await this.process(scope, { id, waits: false })) > 0, events: [] };
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      const events = await scope.transaction((tx) => divide(tx, id));
      if (events.length === 0) await this.postpone(scope, id, error);
      return { done: events.length > 0, events };
    }
  }

  private async postpone(scope: WorkspaceScope, id: number, error: unknown): Promise<void> {
    const isOver = await postponeOrDelete(scope, id);
    if (isOver === undefined) return;
    if (isOver) givenUp.inc();
    this.log.error(isOver ? 'a callback was given up' : 'a callback failed', { callback_id: id, error });
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
    for await (const some of this.steps.map(tx.workspace_id, callbacks, receivedEventsOf)) parsed.push(...some);
    const events = parsed.flat();
    const found = await this.deliveryReports.find(
      tx,
      events.map(({ event }) => event.message_id),
    );
    const known = events.filter(({ event }) => found.has(event.message_id));
    if (known.length === 0) return [];
    const reports: ReportedMessage[] = [];
    const read = ({ event, at }: ReceivedEvent) => reportedBy(event, at);
    for await (const some of this.steps.map(tx.workspace_id, known, read)) reports.push(...some);
    return groupReports(reports).map(({ message_ids: messageIds, report }) => ({
      ids: [...new Set(messageIds.flatMap((messageId) => found.get(messageId) ?? []))],
      report,
    }));
  }
}

interface ReceivedEvent {
  readonly event: EventReport;
  readonly at: Date;
}

interface OneResult {
  /** It was processed, or divided. */
  readonly done: boolean;
  /** The requests with one event each that have replaced it. */
  readonly events: readonly number[];
}

/** Replaces a request by requests with one of its events each. @returns their IDs; none if it has one event, or cannot be read */
async function divide(tx: WorkspaceScope, id: number): Promise<number[]> {
  const callback = await lockCallback(tx, id);
  if (!callback) return [];
  const events = readableEventsOf(callback).filter((event) => reportsIn(callback.provider, [event]).length > 0);
  return events.length > 1 ? splitCallback(tx, id, events) : [];
}

function readableEventsOf(callback: CallbackBody): readonly unknown[] {
  try {
    return eventsOf(callback);
  } catch {
    return [];
  }
}

const receivedEventsOf = (callback: StoredCallback): ReceivedEvent[] =>
  reportsIn(callback.provider, eventsOf(callback)).map((event) => ({ event, at: callback.received_at }));

/** What was stored is an array: see `ProviderEventsService`. */
function eventsOf({ body }: CallbackBody): readonly unknown[] {
  const events: unknown = JSON.parse(body.toString('utf8'));
  return Array.isArray(events) ? events : [];
}
