import { setTimeout as pause } from 'node:timers/promises';
import { reactionsTo, type RecipientTag, recipientTagsOf } from '@outreach/simulated-recipients';
import { Injectable } from '@nestjs/common';
import type { SendResult } from '@outreach/mail-sessions';
import type { ComposedMail } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MessageLinks } from '../message-links.js';
import { deleteDelays, dropOldMessages, insertDelay, insertMessage, insertReactions } from './simulation.queries.js';

/** How long the server takes for a message to a recipient with the tag `slow`, by the clock of the workspace. */
const SLOW_SECONDS = 60;
/** How often it looks at that clock, which requests can put forward. */
const CLOCK_CHECK_MS = 100;

const REJECTED: SendResult = {
  kind: 'refused',
  permanent: true,
  phase: 'rcpt',
  code: 550,
  enhanced: '5.7.1',
  response: '550 5.7.1 Delivery not authorized, message refused',
};

const DROPPED: SendResult = {
  kind: 'lost',
  uncertain: true,
  reason: 'The connection was lost: the simulated mail server has closed it after the final dot',
};

const SILENT: SendResult = {
  kind: 'lost',
  uncertain: true,
  reason: 'The simulated mail server did not reply in time: it takes a minute, by the clock of the sandbox',
};

export interface SimulatedSend {
  readonly mail: ComposedMail;
  /** The type of the account if its provider reports by events. */
  readonly event_provider: string | null;
  /** See `SendOptions`. */
  readonly mayContinue: () => Promise<boolean>;
  /** Returns the complete message. */
  readonly encode: (mail: ComposedMail) => Promise<Buffer>;
  /** The connection is closed. */
  readonly closed: AbortSignal;
}

/**
 * The mail server of sandboxes, which delivers nothing. The tags of the recipient's address say what it replies and what
 * follows. Like a real one it has stored a message, with what follows, before it says so; a worker that dies before it has
 * recorded the reply leaves an uncertain message.
 */
@Injectable()
export class SimulatedMailServer {
  constructor(private readonly links: MessageLinks) {}

  async receive(scope: WorkspaceScope, send: SimulatedSend): Promise<SendResult> {
    const { mail, mayContinue, encode, closed } = send;
    const tags = recipientTagsOf(mail.to);
    if (tags.includes('rejected')) return REJECTED;
    if (!(await mayContinue())) return { kind: 'aborted' };
    const raw = await encode(dated(mail, scope.clock.now()));
    if (!(await mayContinue())) return { kind: 'aborted' };
    if (tags.includes('slow') && !(await this.delay(scope, mail, closed))) return SILENT;
    await this.accept(scope, send, raw.toString('latin1'), tags);
    return tags.includes('unknown') ? DROPPED : { kind: 'accepted', response: '250 2.0.0 Ok: accepted by the sandbox' };
  }

  private accept(
    scope: WorkspaceScope,
    { mail, event_provider }: SimulatedSend,
    raw: string,
    tags: readonly RecipientTag[],
  ): Promise<void> {
    const enrollment_id = this.links.enrollmentOf(scope.workspace_id, mail.message_id);
    return scope.transaction(async (tx) => {
      const id = await insertMessage(tx, { mail, raw, event_provider, enrollment_id });
      await insertReactions(tx, id, reactionsTo(tags));
      await dropOldMessages(tx);
    });
  }

  /** @returns false if the connection was closed meanwhile */
  private async delay(scope: WorkspaceScope, mail: ComposedMail, closed: AbortSignal): Promise<boolean> {
    const { id, ends_at: end } = await insertDelay(scope, mail.message_id, SLOW_SECONDS);
    try {
      while (!closed.aborted && scope.clock.now() < end) {
        await pause(CLOCK_CHECK_MS, undefined, { signal: closed }).catch(() => undefined);
        await scope.refreshClock();
      }
      return !closed.aborted;
    } finally {
      await deleteDelays(scope, id);
    }
  }
}

/** A message with the date of the workspace (RFC 5322, 3.3). */
const dated = (mail: ComposedMail, now: Date): ComposedMail => ({
  ...mail,
  headers: { ...mail.headers, Date: now.toUTCString().replace('GMT', '+0000') },
});
