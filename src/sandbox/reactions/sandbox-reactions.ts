import {
  absenceNotice,
  bouncedNotice,
  complaintNotice,
  deliveredNotice,
  type MailStamp,
  type ReportedMail,
  reply,
  softBounceNotice,
} from '@outreach/simulated-recipients';
import { Injectable } from '@nestjs/common';
import { ProviderEventsService, ReceivedMails, type SimulatedEvent } from '../../inbound/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type LinkRequest, LinkRequests } from '../../tracking/index.js';
import { deleteReaction, type LeasedReaction } from './reactions.queries.js';
import { RecipientVisits } from './recipient-visits.js';

type NoticeOf = (mail: ReportedMail, stamp: MailStamp) => Buffer;

/** What a mail server reports by mail, or a provider by an event. */
const REPORTS: Readonly<Record<SimulatedEvent, NoticeOf>> = {
  delivered: deliveredNotice,
  bounced: bouncedNotice,
  soft: softBounceNotice,
  complained: complaintNotice,
};

/**
 * Does what follows after a message: makes the bytes that a real mail server, mailbox provider or recipient would send, and
 * puts them in where those of real ones arrive.
 */
@Injectable()
export class SandboxReactions {
  constructor(
    private readonly mails: ReceivedMails,
    private readonly events: ProviderEventsService,
    private readonly requests: LinkRequests,
    private readonly visits: RecipientVisits,
  ) {}

  /** A mail or an event that is recorded again changes nothing; requests are recorded with the end of the reaction. */
  async run(scope: WorkspaceScope, reaction: LeasedReaction): Promise<void> {
    switch (reaction.kind) {
      case 'delivered':
      case 'bounced':
      case 'soft':
      case 'complained':
        return reaction.event_provider === null
          ? this.receive(scope, reaction, REPORTS[reaction.kind])
          : this.reportEvent(scope, reaction, reaction.event_provider, reaction.kind);
      case 'replied':
        return this.receive(scope, reaction, reply);
      case 'ooo':
        return this.receive(scope, reaction, absenceNotice);
      case 'opened':
        return this.request(scope, reaction, this.visits.opening(reaction));
      case 'clicked':
        return this.request(scope, reaction, this.visits.clicking(reaction));
      case 'bot':
        return this.request(scope, reaction, this.visits.scanning(reaction));
      case 'unsubscribed':
        return this.request(scope, reaction, this.visits.unsubscribing(reaction));
      default:
        return reaction.kind satisfies never;
    }
  }

  private async receive(scope: WorkspaceScope, reaction: LeasedReaction, noticeOf: NoticeOf): Promise<void> {
    const stamp = { now: scope.clock.now(), id: `${scope.workspace_id}.${reaction.id}` };
    await this.mails.record(scope, noticeOf(reaction, stamp));
    await deleteReaction(scope, reaction);
  }

  private async reportEvent(
    scope: WorkspaceScope,
    reaction: LeasedReaction,
    provider: string,
    kind: SimulatedEvent,
  ): Promise<void> {
    await this.events.recordSimulated(scope, provider, kind, reaction);
    await deleteReaction(scope, reaction);
  }

  private request(scope: WorkspaceScope, reaction: LeasedReaction, requests: readonly LinkRequest[]): Promise<void> {
    return scope.transaction(async (tx) => {
      if (!(await deleteReaction(tx, reaction))) return;
      for (const request of requests) await this.requests.handle(tx, request);
    });
  }
}
