import { Injectable } from '@nestjs/common';
import { EnrollmentMoves } from '../../campaigns/index.js';
import { ContactStatuses } from '../../contacts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { MovedMessage } from '../handover/record.queries.js';
import { MessageLinks } from '../links.js';
import { cancelQueued } from '../queue-changes.queries.js';
import { type Bounce, messagesEvent } from '../sending.events.js';
import { Aftermath } from './aftermath.js';
import { Engagement } from './engagement.js';
import type { MessageReport } from './message-report.js';
import {
  findComposed,
  recipientsAt,
  recordComplained,
  recordDelivered,
  recordOnce,
  recordReturned,
  recordUnsubscribed,
} from './outcomes.queries.js';

type Returned = Extract<MessageReport, { kind: 'bounced' }>;

/** Writes down what is reported of messages after they were handed over. A report that comes again changes nothing. */
@Injectable()
export class Outcomes {
  constructor(
    private readonly links: MessageLinks,
    private readonly aftermath: Aftermath,
    private readonly engagement: Engagement,
    private readonly moves: EnrollmentMoves,
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
    return this.aftermath.ending(scope, async (tx) => {
      const ended = await this.aftermath.accepted(tx, ids);
      return [...ended, ...(await this.apply(tx, ids, report))];
    });
  }

  /** @returns the campaigns in which enrollments have ended */
  private async apply(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<readonly number[]> {
    switch (report.kind) {
      case 'delivered':
        return this.delivered(tx, ids, report);
      case 'bounced':
        return this.returned(tx, ids, report);
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
    const moved = idsOf(await recordDelivered(tx, ids, instantOf(report)));
    if (moved.length > 0) await this.events.publish(tx, 'email.delivered', messagesEvent(moved, report.occurred_at));
    return [];
  }

  private async returned(tx: WorkspaceScope, ids: readonly number[], report: Returned): Promise<number[]> {
    const { bounce, address, occurred_at: occurredAt } = report;
    const status = STATUS_OF[bounce.type];
    const moved = await recordReturned(tx, ids, { status, reason: bounce.message, at: instantOf(report) });
    if (moved.length === 0) return [];
    if (bounce.type === 'hard') await this.aftermath.died(tx, await recipientsAt(tx, idsOf(moved), address));
    await this.events.publish(tx, 'email.bounced', { ...messagesEvent(idsOf(moved), occurredAt), bounce });
    const enrollments = moved.map((message) => message.enrollment_id);
    await cancelQueued(tx, sql`message.enrollment_id = ANY(${enrollments}::bigint[])`, status);
    return this.moves.failAfterSend(tx, enrollments);
  }

  private async complained(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<number[]> {
    const moved = idsOf(await recordComplained(tx, ids, instantOf(report)));
    if (moved.length === 0) return [];
    await this.events.publish(tx, 'email.complained', messagesEvent(moved, report.occurred_at));
    return this.aftermath.complained(tx, await recipientsAt(tx, moved, undefined));
  }

  /** The enrollments end with the contacts, where that is heard. */
  private async unsubscribed(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<number[]> {
    const moved = await recordUnsubscribed(tx, ids, instantOf(report));
    const contacts = sql`SELECT unnest(${moved.map((message) => message.contact_id)}::bigint[])`;
    if (moved.length > 0) await this.contacts.unsubscribe(tx, contacts, messagesEvent(idsOf(moved)).messages);
    return [];
  }

  private async replied(tx: WorkspaceScope, ids: readonly number[], report: MessageReport): Promise<number[]> {
    const moved = await recordOnce(tx, ids, 'replied_at', instantOf(report));
    return this.moves.reply(
      tx,
      moved.map((message) => message.enrollment_id),
    );
  }
}

/** As the API shows a message that came back: a dead address is told from the rest. */
const STATUS_OF: Readonly<Record<Bounce['type'], 'bounced' | 'failed'>> = { hard: 'bounced', soft: 'failed' };

const idsOf = (moved: readonly MovedMessage[]): number[] => moved.map(({ id }) => id);
const instantOf = ({ occurred_at: at }: MessageReport): Sql => (at ? sql`${at}::timestamptz` : sql`now()`);

/** Servers may rewrite the domain of a Message-ID, in another case say; what was signed stands before it. */
const tokenOf = (messageId: string): string => messageId.slice(0, messageId.indexOf('@'));
