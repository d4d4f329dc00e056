import { Injectable } from '@nestjs/common';
import { BackgroundSteps } from '@outreach/concurrency';
import { Blacklist } from '../../blacklist/index.js';
import { IdempotencyStore, type KeyPosition } from '../../platform/idempotency/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { redactEvents, redactReplyEvents, redactStoredEvents, type WrittenByOthers } from '../../webhooks/index.js';
import { eraseFromCallbacks } from './callback-traces.queries.js';
import { type DataSubject, emailsOf } from './data-subject.js';
import {
  eraseRefusedRows,
  eraseReportedErrors,
  importsWithErasedRows,
  type RefusedPart,
} from './import-traces.queries.js';
import { eraseMentions, eraseWrittenReplies, type ErasedReplies } from './reply-traces.queries.js';
import { eraseFromSandbox } from './sandbox-traces.queries.js';
import type { SearchCursor } from './search-cursor.js';
import { eraseFromSegments } from './segment-traces.queries.js';
import { isKeyAbout, isResponseAbout } from './stored-responses.js';

/** How many events for webhooks one transaction redacts. */
const MAX_EVENTS = 1_000;

/** What one transaction works on. */
interface SearchRange {
  readonly tx: WorkspaceScope;
  readonly subject: DataSubject;
  /** Where the range begins, as the range before it has returned it; null for the beginning of the source. */
  readonly after: unknown;
  /** What the ranges of earlier sources have found that others have written about the person. */
  readonly written: WrittenByOthers[];
}

/** Erases one range of a source. Returns where the next one begins; undefined if there is none. */
type SearchedSource = (range: SearchRange) => Promise<unknown>;

/** Erases what tells of a person outside of the rows that are deleted with the contact, in ranges of limited size. */
@Injectable()
export class Traces {
  /** In this order: the last ones need what the first ones have found. */
  private readonly sources: readonly SearchedSource[];

  constructor(
    private readonly blacklist: Blacklist,
    private readonly responses: IdempotencyStore,
    private readonly steps: BackgroundSteps,
  ) {
    this.sources = [
      (range) => this.eraseShort(range),
      (range) => this.eraseReplies(range, () => eraseWrittenReplies(range.tx, range.subject)),
      (range) =>
        this.eraseReplies(range, () =>
          eraseMentions(range.tx, range.subject, { after: Number(range.after ?? 0), steps: this.steps }),
        ),
      ({ tx, subject, after }) =>
        eraseRefusedRows(tx, subject, { after: after as RefusedPart | null, steps: this.steps }),
      ({ tx, subject, after }) => eraseReportedErrors(tx, subject, Number(after ?? 0)),
      (range) => this.eraseResponses(range),
      async ({ tx, subject }) =>
        (await redactEvents(tx, subject.contact_id, MAX_EVENTS)) === MAX_EVENTS ? MAX_EVENTS : undefined,
      ({ tx, subject: { contact_id }, after, written }) =>
        redactStoredEvents(tx, { contact_id, written }, Number(after ?? 0)),
    ];
  }

  /** Erases the first range of each source. @returns whether that was all */
  async erase(tx: WorkspaceScope, subject: DataSubject): Promise<boolean> {
    const written: WrittenByOthers[] = [];
    let isComplete = true;
    for (const source of this.sources) {
      if ((await source({ tx, subject, after: null, written })) !== undefined) isComplete = false;
    }
    return isComplete;
  }

  /**
   * Erases range after range, each in a transaction of its own, until `isEnough`.
   * @param cursor where the search goes on; null for its beginning
   * @returns where it goes on the next time; null if it is complete
   */
  async eraseRest(
    scope: WorkspaceScope,
    subject: DataSubject,
    cursor: SearchCursor | null,
    isEnough: () => boolean,
  ): Promise<SearchCursor | null> {
    let { source, after, written }: SearchCursor = cursor ?? { source: 0, after: null, written: [] };
    for (let search = this.sources[source]; search; search = this.sources[source]) {
      if (isEnough()) return { source, after, written };
      const erase = search;
      const found = [...written];
      const next = await scope.transaction((tx) => erase({ tx, subject, after, written: found }));
      written = found;
      if (next === undefined) [source, after] = [source + 1, null];
      else after = next;
    }
    return null;
  }

  /** What has an index, or is little. */
  private async eraseShort({ tx, subject }: SearchRange): Promise<undefined> {
    for (const email of emailsOf(subject)) await this.blacklist.erase(tx, email);
    await eraseFromCallbacks(tx, subject, this.steps);
    await eraseFromSandbox(tx, subject);
    await eraseFromSegments(tx, subject);
  }

  private async eraseReplies({ tx, written }: SearchRange, erase: () => Promise<ErasedReplies>): Promise<unknown> {
    const erased = await erase();
    for (const ofContact of erased.written) await redactReplyEvents(tx, ofContact);
    written.push(...erased.written);
    return erased.next;
  }

  private async eraseResponses({ tx, subject, after }: SearchRange): Promise<unknown> {
    const about = { subject, import_ids: await importsWithErasedRows(tx) };
    const traces = {
      isResponseAbout: (text: string, path: string) => isResponseAbout(about, text, path),
      isKeyAbout: (text: string) => isKeyAbout(subject, text),
    };
    return this.responses.eraseMatching(tx, traces, after as KeyPosition | null);
  }
}
