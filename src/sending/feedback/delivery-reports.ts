import { Injectable } from '@nestjs/common';
import { type Sql, sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { countMessages } from '../metrics/index.js';
import { MessageLinks } from '../message-links.js';
import {
  idsOf,
  RecipientEffects,
  SendResults,
  setBounced,
  setComplained,
  setDelivered,
  setOnce,
  setUnsubscribed,
} from '../results/index.js';
import { type Bounce, messagesEvent } from '../sending.events.js';
import { Engagement } from './engagement.js';
import { findComposed, recipientsAt } from './feedback.queries.js';
import type { MessageReport } from './message-report.js';

type BounceReport = Extract<MessageReport, { kind: 'bounced' }>;

/** Records what is reported of messages after they were sent. A report that is repeated changes nothing. */
@Injectable()
export class DeliveryReports {
  constructor(
    private readonly links: MessageLinks,
    private readonly results: SendResults,
    private readonly effects: RecipientEffects,
    private readonly engagement: Engagement,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Finds messages of the workspace by Message-ID.
   * @param messageIds without angle brackets
   * @returns Message-ID as it was passed → ID. Unknown ones and those of other workspaces are left out.
   */
  async find(scope: WorkspaceScope, messageIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const enrollments = messageIds.flatMap((id) => this.links.enrollmentOf(scope.workspace_id, id) ?? []);
    if (enrollments.length === 0) return new Map();
    const composed = await findComposed(scope, [...new Set(enrollments)]);
    const known = new Map(composed.map(({ id, message_id: messageId }) => [tokenOf(messageId), id]));
    return new Map(
      messageIds.flatMap((messageId) => {
        const id = known.get(tokenOf(messageId));
        return id === undefined ? [] : [[messageId, id] as const];
      }),
    );
  }

  /**
   * Records a report about messages, with everything that follows from it, in one transaction. A message whose sending
   * was uncertain becomes `sent` first, because the report proves that it was sent.
   */
  record(scope: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<void> {
    return this.effects.runAndComplete(scope, async (tx) => {
      const ended = await this.results.setSent(tx, ids);
      return [...ended, ...(await this.apply(tx, ids, report))];
    });
  }

  /** @returns the campaigns in which enrollments have ended */
  private async apply(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<readonly number[]> {
    const at = instantOf(tx, report);
    switch (report.kind) {
      case 'delivered':
        await this.delivered(tx, ids, report);
        return [];
      case 'bounced':
        return this.bounced(tx, ids, report);
      case 'complained':
        return this.complained(tx, ids, report);
      case 'unsubscribed':
        await this.effects.unsubscribe(tx, await setUnsubscribed(tx, ids, at));
        return [];
      case 'replied':
        return this.effects.recordReplies(tx, await setOnce(tx, ids, 'replied_at', at));
      case 'opened':
        await this.engagement.recordOpens(tx, ids, report.occurred_at);
        return [];
      case 'clicked':
        await this.engagement.recordFirstClicks(tx, ids, report);
        return [];
      default:
        return report satisfies never;
    }
  }

  private async delivered(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<void> {
    const updated = idsOf(await setDelivered(tx, ids, instantOf(tx, report)));
    if (updated.length === 0) return;
    await this.events.publish(tx, 'email.delivered', messagesEvent(updated, report.occurred_at));
    tx.afterCommit(() => countMessages('delivered', updated.length));
  }

  private async bounced(tx: WorkspaceScope, ids: readonly number[], report: BounceReport): Promise<number[]> {
    const { bounce, address, occurred_at: occurredAt } = report;
    const status = STATUS_OF[bounce.type];
    const updated = await setBounced(tx, ids, { status, reason: bounce.message, at: instantOf(tx, report) });
    if (updated.length === 0) return [];
    tx.afterCommit(() => countMessages(status, updated.length));
    if (bounce.type === 'hard')
      await this.effects.blacklistDeadAddresses(tx, await recipientsAt(tx, idsOf(updated), address));
    await this.events.publish(tx, 'email.bounced', { ...messagesEvent(idsOf(updated), occurredAt), bounce });
    return this.effects.failReturned(tx, updated, status);
  }

  private async complained(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<number[]> {
    const updated = idsOf(await setComplained(tx, ids, instantOf(tx, report)));
    if (updated.length === 0) return [];
    tx.afterCommit(() => countMessages('complained', updated.length));
    await this.events.publish(tx, 'email.complained', messagesEvent(updated, report.occurred_at));
    return this.effects.recordComplaints(tx, await recipientsAt(tx, updated, undefined));
  }
}

/** The API shows a returned message as `bounced` if its address is dead, otherwise as `failed`. */
const STATUS_OF: Readonly<Record<Bounce['type'], 'bounced' | 'failed'>> = { hard: 'bounced', soft: 'failed' };

const instantOf = (scope: WorkspaceScope, { occurred_at: at }: MessageReport): Sql =>
  at ? sql`${at}::timestamptz` : scope.now;

/** Only the part before the `@` is compared: servers may rewrite the domain of a Message-ID, for example its case. */
const tokenOf = (messageId: string): string => messageId.slice(0, messageId.indexOf('@'));
