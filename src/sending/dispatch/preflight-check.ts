import { Injectable } from '@nestjs/common';
import { Batcher } from '@outreach/concurrency';
import { WORKER } from '@outreach/job-queue';
import { GlobalBlacklist } from '../../blacklist/index.js';
import { type GroupedWork, PerWorkspace, type WorkspaceScope } from '../../platform/tenancy/index.js';
import { CHECK_NEXT, SendTransactions } from '../results/index.js';
import {
  findStillAllowed,
  lockCheckedContacts,
  markSending,
  type SendCandidate,
  type StopReason,
} from './preflight.queries.js';

type SentMessage = Pick<SendCandidate, 'id' | 'bound_by'>;

/** Returns the messages of which another one to the same contact is being checked, if that matters to their campaigns. */
async function lockContacts(tx: WorkspaceScope, candidates: readonly SendCandidate[]): Promise<ReadonlySet<number>> {
  const contacts = candidates.flatMap((candidate) => candidate.checked_contact ?? []);
  if (contacts.length === 0) return new Set();
  const locked = new Set(await lockCheckedContacts(tx, contacts));
  // Only the first message of each contact is checked.
  return new Set(
    candidates.flatMap(({ id, checked_contact: contact }) => (contact === null || locked.delete(contact) ? [] : [id])),
  );
}

/** Checks messages right before they are sent, together with those of other connections. */
@Injectable()
export class PreflightCheck {
  /** One statement for all messages of a workspace. */
  private readonly checks: GroupedWork<SendCandidate, StopReason | null> = {
    order: CHECK_NEXT,
    run: (tx, candidates) => this.check(tx, candidates),
  };
  private readonly repetitions = new PerWorkspace(
    (scope) =>
      new Batcher<SentMessage, boolean>(async (messages) => {
        const allowed = await findStillAllowed(scope, WORKER, messages, this.blacklist);
        return messages.map(({ id }) => allowed.has(id));
      }),
  );

  constructor(
    private readonly transactions: SendTransactions,
    private readonly blacklist: GlobalBlacklist,
  ) {}

  /** Sets the message to `sending` and returns null, or returns why it must not be sent. */
  run(scope: WorkspaceScope, candidate: SendCandidate): Promise<StopReason | null> {
    return this.transactions.submit(scope, this.checks, candidate);
  }

  /** Returns whether a message that is `sending` may still be sent. */
  isStillAllowed(scope: WorkspaceScope, message: SentMessage): Promise<boolean> {
    return this.repetitions.of(scope).submit(message);
  }

  private async check(tx: WorkspaceScope, candidates: readonly SendCandidate[]): Promise<(StopReason | null)[]> {
    const busy = await lockContacts(tx, candidates);
    const free = candidates.filter(({ id }) => !busy.has(id));
    const stops =
      free.length > 0 ? await markSending(tx, WORKER, free, this.blacklist) : new Map<number, StopReason | null>();
    return candidates.map(({ id }) =>
      busy.has(id) ? 'contact busy' : (stops.get(id) ?? (stops.has(id) ? null : 'lost')),
    );
  }
}
