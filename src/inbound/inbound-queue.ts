import { Injectable } from '@nestjs/common';
import { FairQueue } from '../platform/concurrency/index.js';
import type { UnreadBody } from '../platform/http/body/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/** How many reports to a workspace this process receives at the same time. Each has at most a megabyte in memory. */
const MAX_REPORTS_PER_WORKSPACE = 8;
const MAX_WAITING_PER_WORKSPACE = 50;

/**
 * Limits how many reports to a workspace are in memory. Others wait unread, and are refused if too many wait; SendGrid and
 * mail servers send them again. A sender that is slow therefore delays only reports to the same workspace.
 */
@Injectable()
export class InboundQueue {
  private readonly queue = new FairQueue({
    concurrency: Number.POSITIVE_INFINITY,
    perKey: MAX_REPORTS_PER_WORKSPACE,
    waitingPerKey: MAX_WAITING_PER_WORKSPACE,
  });

  /** How many reports to a workspace this process receives. */
  size({ workspace_id: workspaceId }: WorkspaceScope): number {
    return this.queue.size(workspaceId);
  }

  /** Runs what reads the body. @throws Busy if too many reports wait */
  run<R>({ workspace_id: workspaceId }: WorkspaceScope, body: UnreadBody, receive: () => Promise<R>): Promise<R> {
    return this.queue.run(workspaceId, receive, body.closed);
  }
}
