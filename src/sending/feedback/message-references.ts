import { Injectable } from '@nestjs/common';
import { BackgroundSteps } from '@outreach/concurrency';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MessageLinks } from '../message-links.js';

/** What a Message-ID refers to: the message of an enrollment whose Message-ID has this token before the `@`. */
export interface ReportedMessageRef {
  readonly enrollment_id: number;
  readonly token: string;
}

/** How many Message-IDs are verified without a pause: that takes about a millisecond. */
const MAX_AT_ONCE = 100;

/** Reads what Message-IDs that others report refer to. */
@Injectable()
export class MessageReferences {
  constructor(
    private readonly links: MessageLinks,
    private readonly steps: BackgroundSteps,
  ) {}

  /**
   * Returns what Message-IDs refer to. Those that were not created for the workspace are left out; whether the others exist is
   * not checked. Each ID is verified once, in short steps if there are many.
   * @param messageIds without angle brackets
   */
  async find(scope: WorkspaceScope, messageIds: readonly string[]): Promise<ReportedMessageRef[]> {
    const ids = [...new Set(messageIds)];
    const enrollmentOf = (id: string) => [id, this.links.enrollmentOf(scope.workspace_id, id)] as const;
    const verified = ids.length <= MAX_AT_ONCE ? ids.map(enrollmentOf) : [];
    if (ids.length > MAX_AT_ONCE)
      for await (const some of this.steps.map(scope.workspace_id, ids, enrollmentOf)) verified.push(...some);
    const enrollments = new Map(verified);
    return messageIds.flatMap((messageId) => {
      const enrollment = enrollments.get(messageId);
      return enrollment === undefined ? [] : [{ enrollment_id: enrollment, token: tokenOf(messageId) }];
    });
  }
}

/** Only the part before the `@` is compared: servers may rewrite the domain of a Message-ID, for example its case. */
export const tokenOf = (messageId: string): string => messageId.slice(0, messageId.indexOf('@'));
