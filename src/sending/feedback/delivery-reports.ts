import { Injectable } from '@nestjs/common';
import { CampaignProtection } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { countMessages } from '../metrics/index.js';
import {
  idsOf,
  isSoftBounce,
  RecipientEffects,
  SendResults,
  setBounced,
  setComplained,
  setDelivered,
  setOnce,
  setUnsubscribed,
  returnedMessages,
} from '../results/index.js';
import { messagesEvent } from '../sending.events.js';
import { Engagement } from './engagement.js';
import {
  bouncedRecipientsAt,
  campaignsOf,
  findComposed,
  recipientsAt,
  type ReportedRecipient,
} from './feedback.queries.js';
import { MessageReferences, tokenOf } from './message-references.js';
import type { MessageReport, ReportSource } from './message-report.js';

/** One report about several messages. */
export interface ReportedMessages {
  readonly ids: readonly number[];
  readonly report: MessageReport;
}

type BounceReport = Extract<MessageReport, { kind: 'bounced' }>;
type ReplyReport = Extract<MessageReport, { kind: 'replied' }>;

/** Records what is reported of messages after they were sent. A report that is repeated changes nothing. */
@Injectable()
export class DeliveryReports {
  constructor(
    private readonly references: MessageReferences,
    private readonly results: SendResults,
    private readonly effects: RecipientEffects,
    private readonly protection: CampaignProtection,
    private readonly engagement: Engagement,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Finds messages of the workspace by Message-ID.
   * @param messageIds without angle brackets
   * @returns Message-ID as it was passed → ID. Unknown ones and those of other workspaces are left out.
   */
  async find(scope: WorkspaceScope, messageIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const refs = await this.references.find(scope, messageIds);
    if (refs.length === 0) return new Map();
    const composed = await findComposed(scope, [...new Set(refs.map((ref) => ref.enrollment_id))]);
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
    // A reply may end the enrollments of a large company.
    const unlimited = report.kind === 'replied' ? scope.withoutStatementLimit() : scope;
    return this.effects.runAndComplete(unlimited, async (tx) => {
      await this.lockCampaigns(tx, [{ ids, report }]);
      const ended = await this.results.setReported(tx, ids);
      return [...ended, ...(await this.apply(tx, ids, report))];
    });
  }

  /**
   * Like {@link record}, for many reports, which `read` returns inside the transaction, in the order in which they are
   * recorded.
   */
  recordAll(scope: WorkspaceScope, read: (tx: WorkspaceScope) => Promise<readonly ReportedMessages[]>): Promise<void> {
    return this.effects.runAndComplete(scope, async (tx) => {
      const reports = await read(tx);
      await this.lockCampaigns(tx, reports);
      const ended = await this.results.setReported(tx, [...new Set(reports.flatMap(({ ids }) => ids))]);
      for (const { ids, report } of reports) ended.push(...(await this.apply(tx, ids, report)));
      return ended;
    });
  }

  /** The campaigns that reports may pause. */
  private async lockCampaigns(tx: WorkspaceScope, reports: readonly ReportedMessages[]): Promise<void> {
    const returned = reports.filter(({ report }) => report.kind === 'bounced' || report.kind === 'complained');
    if (returned.length > 0)
      await this.protection.lock(
        tx,
        campaignsOf(
          tx,
          returned.flatMap(({ ids }) => ids),
        ),
      );
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
        await this.effects.unsubscribe(tx, await setUnsubscribed(tx, ids, at), sourceOf(report));
        return [];
      case 'replied':
        return this.replied(tx, ids, report);
      case 'opened':
        await this.engagement.recordReportedOpens(tx, ids, report);
        return [];
      case 'clicked':
        await this.engagement.recordReportedClicks(tx, ids, report);
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
    const updated = await setBounced(tx, ids, bounce.message, instantOf(tx, report));
    if (updated.length === 0) return [];
    tx.afterCommit(() => countMessages('bounced', updated.length));
    await this.protection.countReturned(tx, returnedMessages(tx, idsOf(updated)), 'bounced');
    const recipients = await bouncedRecipientsAt(tx, idsOf(updated), address);
    if (bounce.type === 'hard') await this.effects.blacklistDeadAddresses(tx, recipients, sourceOf(report));
    else if (isSoftBounce(bounce)) await this.effects.recordSoftBounces(tx, messagesTo(recipients), sourceOf(report));
    await this.events.publish(tx, 'email.bounced', { ...messagesEvent(idsOf(updated), occurredAt), bounce });
    return this.effects.failReturned(tx, updated);
  }

  /** Every reply is published; only those of people are the contact's reply. */
  private async replied(tx: WorkspaceScope, ids: readonly number[], report: ReplyReport): Promise<number[]> {
    const { reply, occurred_at: occurredAt } = report;
    await this.events.publish(tx, 'reply.received', { ...messagesEvent(ids, occurredAt), reply });
    if (reply.is_automatic) return [];
    return this.effects.recordReplies(tx, await setOnce(tx, ids, 'replied_at', instantOf(tx, report)));
  }

  private async complained(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<number[]> {
    const updated = idsOf(await setComplained(tx, ids, instantOf(tx, report)));
    if (updated.length === 0) return [];
    tx.afterCommit(() => countMessages('complained', updated.length));
    await this.protection.countReturned(tx, returnedMessages(tx, updated), 'complained');
    await this.events.publish(tx, 'email.complained', messagesEvent(updated, report.occurred_at));
    return this.effects.recordComplaints(tx, await recipientsAt(tx, updated, undefined), sourceOf(report));
  }
}

const sourceOf = ({ source = 'mail' }: MessageReport): ReportSource => source;

const instantOf = (scope: WorkspaceScope, { occurred_at: at }: MessageReport): Sql =>
  at ? sql`${at}::timestamptz` : scope.now;

const messagesTo = (recipients: readonly ReportedRecipient[]): number[] => recipients.map(({ message_id: id }) => id);
