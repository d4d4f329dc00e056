import { Injectable } from '@nestjs/common';
import { OnDomainEvent } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Engagement, type EngagementReported } from '../../sending/index.js';
import { insertReportedEvents } from './tracking-events.queries.js';

/** Stores what providers report of their own pixels and links, so that the activity of a contact has it. */
@Injectable()
export class ReportedEngagementListener {
  constructor(private readonly engagement: Engagement) {}

  @OnDomainEvent('engagement.reported')
  async reported(tx: WorkspaceScope, report: EngagementReported): Promise<void> {
    const { type, url, occurred_at: occurredAt, is_machine: isMachine } = report;
    const stored = await insertReportedEvents(tx, report.message_ids, {
      kind: type === 'opened' ? 'open' : 'click',
      url,
      classification: isMachine ? 'prefetch' : 'counted',
      created_at: occurredAt,
    });
    if (!isMachine || stored.length === 0) return;
    await this.engagement.recordBotActivity(
      tx,
      stored.map((id) => ({ message_id: id, type, url, bot_reason: 'prefetch' as const, occurred_at: occurredAt })),
    );
  }
}
