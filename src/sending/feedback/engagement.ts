import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { idsOf, setOnce } from '../results/index.js';
import { type BotActivity, type EngagementReported, messagesEvent } from '../sending.events.js';
import { trackedMessages } from '../tracking-consent.queries.js';
import { addBotActivity } from './bot-activity.queries.js';

/** A link that was followed. */
export interface Click {
  readonly url: string;
  readonly occurred_at?: Date | undefined;
}

type ReportedRequest = Pick<EngagementReported, 'type' | 'url' | 'is_machine'> & Pick<Click, 'occurred_at'>;

/**
 * Records opens and clicks, those that count and those of bots, from any source, of the contacts that may be measured.
 * Call it inside the transaction of the cause.
 */
@Injectable()
export class Engagement {
  constructor(private readonly events: DomainEvents) {}

  /** The recipients have opened the messages. Publishes `email.opened` once per message. */
  async recordOpens(tx: WorkspaceScope, ids: readonly number[], occurredAt?: Date): Promise<void> {
    await this.openedFirst(tx, await trackedMessages(tx, ids), occurredAt);
  }

  /**
   * Like {@link recordOpens}, as a provider has reported them, which may repeat itself. Those of mail programs that open
   * messages ahead of time do not count.
   */
  async recordReportedOpens(
    tx: WorkspaceScope,
    ids: readonly number[],
    {
      occurred_at: at,
      is_machine: isMachine = false,
    }: { readonly occurred_at?: Date | undefined; readonly is_machine?: boolean },
  ): Promise<void> {
    const tracked = await trackedMessages(tx, ids);
    await this.reported(tx, tracked, { type: 'opened', url: null, occurred_at: at, is_machine: isMachine });
    if (!isMachine) await this.openedFirst(tx, tracked, at);
  }

  private async openedFirst(tx: WorkspaceScope, ids: readonly number[], occurredAt?: Date): Promise<void> {
    const first = await this.setOnce(tx, ids, 'opened_at', occurredAt);
    if (first.length > 0) await this.events.publish(tx, 'email.opened', messagesEvent(first, occurredAt));
  }

  /**
   * The recipients have followed a link, so they have opened the messages. Publishes `email.clicked` for every click.
   */
  async recordClicks(tx: WorkspaceScope, ids: readonly number[], click: Click): Promise<void> {
    const tracked = await trackedMessages(tx, ids);
    await this.firstClicks(tx, tracked, click);
    await this.publishClicked(tx, tracked, click);
  }

  /**
   * Like {@link recordClicks}, as a provider has reported them, which may repeat itself: only the first click of each message
   * counts.
   */
  async recordReportedClicks(tx: WorkspaceScope, ids: readonly number[], click: Click): Promise<void> {
    const tracked = await trackedMessages(tx, ids);
    const { url, occurred_at: at } = click;
    await this.reported(tx, tracked, { type: 'clicked', url, occurred_at: at, is_machine: false });
    await this.publishClicked(tx, await this.firstClicks(tx, tracked, click), click);
  }

  /**
   * Bots have requested the pixels or links of messages. Adds them to the messages, and publishes `email.bot_activity` for
   * every request.
   */
  async recordBotActivity(tx: WorkspaceScope, activities: readonly BotActivity[]): Promise<void> {
    const messages = await addBotActivity(tx, activities);
    const recorded = activities.filter(({ message_id: id }) => messages.has(id));
    if (recorded.length > 0) await this.events.publish(tx, 'email.bot_activity', { activities: recorded });
  }

  /** The recipient has unsubscribed through a message. Only the first time is stored. */
  async recordUnsubscribe(tx: WorkspaceScope, id: number): Promise<void> {
    await this.setOnce(tx, [id], 'unsubscribed_at');
  }

  private async firstClicks(tx: WorkspaceScope, ids: readonly number[], { occurred_at: at }: Click): Promise<number[]> {
    await this.openedFirst(tx, ids, at);
    return this.setOnce(tx, ids, 'clicked_at', at);
  }

  private async publishClicked(
    tx: WorkspaceScope,
    ids: readonly number[],
    { url, occurred_at: at }: Click,
  ): Promise<void> {
    if (ids.length > 0) await this.events.publish(tx, 'email.clicked', { ...messagesEvent(ids, at), url });
  }

  /** Before the messages change: its listeners lock enrollments, and who deletes those locks them before their messages. */
  private async reported(
    tx: WorkspaceScope,
    ids: readonly number[],
    { occurred_at: at = tx.clock.now(), ...report }: ReportedRequest,
  ): Promise<void> {
    if (ids.length > 0)
      await this.events.publish(tx, 'engagement.reported', { message_ids: ids, ...report, occurred_at: at });
  }

  /** @returns the messages where the date was null */
  private async setOnce(
    tx: WorkspaceScope,
    ids: readonly number[],
    column: 'opened_at' | 'clicked_at' | 'unsubscribed_at',
    at?: Date,
  ): Promise<number[]> {
    return idsOf(await setOnce(tx, ids, column, at ? sql`${at}::timestamptz` : tx.now));
  }
}
