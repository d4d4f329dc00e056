import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '@outreach/job-queue';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SENDING } from '../queues.js';
import { RULES } from './rules.js';
import type { Effect } from './rule.js';

/** Adapts waiting messages to what changes, as the rules say, in the same transaction. */
@Injectable()
export class RuleEffects implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobQueue: JobQueue,
  ) {}

  onModuleInit(): void {
    for (const { effects } of RULES) for (const each of effects ?? []) this.listen(each);
  }

  private listen({ on, run }: Effect): void {
    this.events.listen(on, async (scope: WorkspaceScope, event: never) => {
      const accounts = await run(scope, event);
      const keys = accounts.map(({ email_account_id: id }) => ({ workspace_id: scope.workspace_id, id }));
      if (keys.length > 0) scope.afterCommit(() => this.jobQueue.enqueue(SENDING, keys));
    });
  }
}
