import { Injectable } from '@nestjs/common';
import { FairQueue } from '@outreach/concurrency';
import type { UnreadBody } from '@outreach/http-api/body';
import { FAIR_QUEUES } from '../platform/concurrency/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/**
 * Limits how many reports to a workspace are in memory. Others wait unread, and are refused if too many wait; providers and
 * mail servers send them again. A sender that is slow therefore delays only reports to the same workspace.
 */
@Injectable()
export class InboundQueue {
  private readonly queue = new FairQueue(FAIR_QUEUES.inboundReports);

  /** How many reports to a workspace this process receives. */
  size({ workspace_id: workspaceId }: WorkspaceScope): number {
    return this.queue.size(workspaceId);
  }

  /** Runs what reads the body. @throws Busy if too many reports wait */
  run<R>({ workspace_id: workspaceId }: WorkspaceScope, body: UnreadBody, receive: () => Promise<R>): Promise<R> {
    return this.queue.run(workspaceId, receive, body.closed);
  }
}
