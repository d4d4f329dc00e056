import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { Scheduled } from '@outreach/job-queue';
import { Keyring } from '../../platform/crypto/index.js';
import { type DueErasure, DueErasures, hasOpenErasures } from './due-erasures.cross-tenant.js';
import { decryptSubject } from './encrypted-subjects.js';
import { continueSearch, endSearch } from './erasures.queries.js';
import { Traces } from './traces.js';

const INTERVAL_SECONDS = 2;
/** How long one run takes erasures. */
const MAX_RUN_MS = 20_000;
/** How long it works on one of them, before others have a turn. */
const MAX_SEARCH_MS = 3_000;

/**
 * Completes erasures in workers: erases what was too much for the request, and searches once more for what transactions have
 * written that ran at the same time. A worker that dies leaves its erasure to another one.
 */
@Injectable()
export class ErasureSearches implements BeforeApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(
    private readonly due: DueErasures,
    private readonly traces: Traces,
    private readonly keyring: Keyring,
    private readonly log: Log,
  ) {}

  @Scheduled('complete-erasures', INTERVAL_SECONDS, hasOpenErasures)
  async run(): Promise<void> {
    const deadline = performance.now() + MAX_RUN_MS;
    for (let due = await this.due.take(); due.length > 0; due = await this.due.take()) {
      for (const erasure of due) {
        if (this.stopping.signal.aborted) return;
        await this.search(erasure);
      }
      if (performance.now() > deadline) return;
    }
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  private async search({
    scope,
    id,
    subject: encrypted,
    search_cursor: cursor,
    is_last_search,
  }: DueErasure): Promise<void> {
    try {
      const subject = decryptSubject(this.keyring, scope, id, encrypted);
      const deadline = performance.now() + MAX_SEARCH_MS;
      const isEnough = (): boolean => this.stopping.signal.aborted || performance.now() > deadline;
      const next = await this.traces.eraseRest(scope, subject, cursor, isEnough);
      if (next) await continueSearch(scope, id, next);
      else await endSearch(scope, id, is_last_search);
    } catch (error) {
      this.log.error('an erasure could not be completed; it is repeated', {
        workspace_id: scope.workspace_id,
        erasure_id: id,
        error,
      });
    }
  }
}
