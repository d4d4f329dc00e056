import { Injectable } from '@nestjs/common';
import { EnrollmentTransitions } from '../../campaigns/index.js';
import { ContactStatuses } from '../../contacts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { UpdatedMessage } from '../results/message-status.queries.js';
import { MessageLinks } from '../message-links.js';
import { cancelQueued } from '../queue-changes.queries.js';
import { type Bounce, messagesEvent } from '../sending.events.js';
import { RecipientEffects } from '../results/recipient-effects.js';
import { Engagement } from './engagement.js';
import type { MessageReport } from './message-report.js';
import {
  findComposed,
  recipientsAt,
  recordComplained,
  recordEmailDelivered,
  recordOnce,
  recordBounced,
  recordUnsubscribed,
} from './feedback.queries.js';

type BounceReport = Extract<MessageReport, { kind: 'bounced' }>;

/** Writes down what is reported of messages after they were handed over. A report that comes again changes nothing. */
@Injectable()
export class DeliveryReports {
  constructor(
    private readonly links: MessageLinks,
    private readonly effects: RecipientEffects,
    private readonly engagement: Engagement,
    private readonly transitions: EnrollmentTransitions,
    private readonly contacts: ContactStatuses,
    private readonly events: DomainEvents,
  ) {}

  /**
   * The messages of the workspace that have these Message-IDs, without angle brackets. Whatever else is among them, IDs
   * of other workspaces too, is left out.
   * @returns Message-ID as it was asked for → ID
   */
  async find(scope: WorkspaceScope, messageIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const enrollments = messageIds.flatMap((id) => this.links.enrollmentOf(scope.workspace_id, id) ?? []);
    if (enrollments.length === 0) return new Map();
    const composed = await findComposed(scope, [...new Set(enrollments)]);
    const known = new Map(composed.map(({ id, message_id: messageId }) => [tokenOf(messageId), id]));
    return new Map(
      messageIds.flatMap((asked) => {
        const id = known.get(tokenOf(asked));
        return id === undefined ? [] : [[asked, id] as const];
      }),
    );
  }

  /**
   * Records a report about messages, with everything that follows from it, in one transaction. It proves that the
   * messages were sent, should that have been uncertain.
   */
  record(scope: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<void> {
    return this.effects.ending(scope, async (tx) => {
      const ended = await this.effects.accepted(tx, ids);
      return [...ended, ...(await this.apply(tx, ids, report))];
    });
  }

  /** @returns the campaigns in which enrollments have ended */
  private async apply(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<readonly number[]> {
    switch (report.kind) {
      case 'delivered':
        return this.delivered(tx, ids, report);
      case 'bounced':
        return this.bounced(tx, ids, report);
      case 'complained':
        return this.complained(tx, ids, report);
      case 'unsubscribed':
        return this.unsubscribed(tx, ids, report);
      case 'replied':
        return this.replied(tx, ids, report);
      case 'opened':
        await this.engagement.opened(tx, ids, report.occurred_at);
        return [];
      case 'clicked':
        await this.engagement.clickedFirst(tx, ids, report);
        return [];
      default:
        return report satisfies never;
    }
  }

  private async delivered(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<number[]> {
    const updated = idsOf(await recordEmailDelivered(tx, ids, instantOf(report)));
    if (updated.length > 0)
      await this.events.publish(tx, 'email.delivered', messagesEvent(updated, report.occurred_at));
    return [];
  }

  private async bounced(tx: WorkspaceScope, ids: readonly number[], report: BounceReport): Promise<number[]> {
    const { bounce, address, occurred_at: occurredAt } = report;
    const status = STATUS_OF[bounce.type];
    const updated = await recordBounced(tx, ids, { status, reason: bounce.message, at: instantOf(report) });
    if (updated.length === 0) return [];
    if (bounce.type === 'hard') await this.effects.died(tx, await recipientsAt(tx, idsOf(updated), address));
    await this.events.publish(tx, 'email.bounced', { ...messagesEvent(idsOf(updated), occurredAt), bounce });
    const enrollments = updated.map((message) => message.enrollment_id);
    await cancelQueued(tx, sql`message.enrollment_id = ANY(${enrollments}::bigint[])`, status);
    return this.transitions.failAfterSend(tx, enrollments);
  }

  private async complained(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<number[]> {
    const updated = idsOf(await recordComplained(tx, ids, instantOf(report)));
    if (updated.length === 0) return [];
    await this.events.publish(tx, 'email.complained', messagesEvent(updated, report.occurred_at));
    return this.effects.complained(tx, await recipientsAt(tx, updated, undefined));
  }

  /** The enrollments end with the contacts, where that is heard. */
  private async unsubscribed(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<number[]> {
    const updated = await recordUnsubscribed(tx, ids, instantOf(report));
    const contacts = sql`SELECT unnest(${updated.map((message) => message.contact_id)}::bigint[])`;
    if (updated.length > 0) await this.contacts.unsubscribe(tx, contacts, messagesEvent(idsOf(updated)).messages);
    return [];
  }

  private async replied(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<number[]> {
    const updated = await recordOnce(tx, ids, 'replied_at', instantOf(report));
    return this.transitions.reply(
      tx,
      updated.map((message) => message.enrollment_id),
    );
  }
}

/** As the API shows a message that came back: a dead address is told from the rest. */
const STATUS_OF: Readonly<Record<Bounce['type'], 'bounced' | 'failed'>> = { hard: 'bounced', soft: 'failed' };

const idsOf = (updated: readonly UpdatedMessage[]): number[] => updated.map(({ id }) => id);
const instantOf = ({ occurred_at: at }: MessageReport): Sql => (at ? sql`${at}::timestamptz` : sql`now()`);

/** Servers may rewrite the domain of a Message-ID, in another case say; what was signed stands before it. */
const tokenOf = (messageId: string): string => messageId.slice(0, messageId.indexOf('@'));
