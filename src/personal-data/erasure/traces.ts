import { Injectable } from '@nestjs/common';
import { Blacklist } from '../../blacklist/index.js';
import { IdempotencyStore } from '../../platform/idempotency/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { redactEvents, redactReplyEvents } from '../../webhooks/index.js';
import { eraseFromCallbacks } from './callback-traces.queries.js';
import type { DataSubject } from './data-subject.js';
import { eraseFromImports } from './import-traces.queries.js';
import { eraseFromReplies } from './reply-traces.queries.js';
import { eraseFromSandbox } from './sandbox-traces.queries.js';
import { eraseFromSegments } from './segment-traces.queries.js';
import { isResponseAbout } from './stored-responses.js';

/** How much one transaction erases. */
const MAX_EVENTS = 1_000;
const MAX_RESPONSE_BYTES = 50_000_000;

/** Erases what tells of a person outside of the rows that are deleted with the contact. */
@Injectable()
export class Traces {
  constructor(
    private readonly blacklist: Blacklist,
    private readonly responses: IdempotencyStore,
  ) {}

  /** Erases as much as one transaction may. @returns whether that was all */
  async erase(tx: WorkspaceScope, subject: DataSubject): Promise<boolean> {
    await this.blacklist.erase(tx, subject.email);
    for (const written of await eraseFromReplies(tx, subject)) await redactReplyEvents(tx, written);
    await eraseFromImports(tx, subject);
    await eraseFromCallbacks(tx, subject);
    await eraseFromSandbox(tx, subject);
    await eraseFromSegments(tx, subject);
    const isAbout = (text: string, path: string): boolean => isResponseAbout(subject, text, path);
    const areAllRead = await this.responses.eraseMatching(tx, isAbout, MAX_RESPONSE_BYTES);
    return (await redactEvents(tx, subject.contact_id, MAX_EVENTS)) < MAX_EVENTS && areAllRead;
  }

  /** Erases everything that is left, in transactions of their own. @returns whether it was done before the signal */
  async eraseRest(scope: WorkspaceScope, subject: DataSubject, signal: AbortSignal): Promise<boolean> {
    for (let redacted = MAX_EVENTS; redacted === MAX_EVENTS;) {
      if (signal.aborted) return false;
      redacted = await scope.transaction((tx) => redactEvents(tx, subject.contact_id, MAX_EVENTS));
    }
    const isAbout = (text: string, path: string): boolean => isResponseAbout(subject, text, path);
    await this.responses.eraseMatching(scope, isAbout);
    await scope.transaction((tx) => this.erase(tx, subject));
    return true;
  }
}
