import { Injectable } from '@nestjs/common';
import { botReasonOf, detectBots } from '@outreach/bot-detection';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type BotActivity, type BotReason, Engagement } from '../../sending/index.js';
import {
  deleteUnmeasuredEvents,
  type EventToClassify,
  findEventsToClassify,
  saveClassifications,
} from './tracking-events.queries.js';
import type { BotClassification } from './tracking-event.entity.js';

type ClassifiedEvent = EventToClassify & { readonly classification: BotClassification };

/**
 * Decides which tracking events count. It waits some seconds for later requests, because bots are recognised by several
 * requests, and a published event cannot be revoked.
 */
@Injectable()
export class BotClassifier {
  constructor(private readonly engagement: Engagement) {}

  /** Classifies the due events of a workspace, in batches of at most 500. */
  classify(scope: WorkspaceScope): Promise<void> {
    return scope.transaction(async (tx) => {
      const found = classified(await findEventsToClassify(tx));
      if (found.length === 0) return;
      const deleted = await deleteUnmeasuredEvents(
        tx,
        found.map(({ id }) => id),
      );
      const due = found.filter(({ id }) => !deleted.has(id));
      await saveClassifications(tx, due);
      await this.count(
        tx,
        due.filter(({ classification }) => classification === 'counted'),
      );
      await this.engagement.recordBotActivity(tx, botActivities(due));
    });
  }

  private async count(tx: WorkspaceScope, events: readonly ClassifiedEvent[]): Promise<void> {
    const opened = new Set(events.filter((event) => event.is_opened).map((event) => event.message_id));
    for (const { message_id: id, url, created_at: occurredAt } of events) {
      if (url !== null) await this.engagement.recordClicks(tx, [id], { url, occurred_at: occurredAt });
      else if (!opened.has(id)) await this.engagement.recordOpens(tx, [id], occurredAt);
      opened.add(id);
    }
  }
}

const isBotReason = (classification: BotClassification): classification is BotReason =>
  classification !== 'counted' && classification !== 'undecided';

/** The events that do not count, grouped by message and in the order of their requests. */
const botActivities = (events: readonly ClassifiedEvent[]): BotActivity[] =>
  events.flatMap(({ message_id, url, created_at: occurredAt, classification }) =>
    isBotReason(classification)
      ? [
          {
            message_id,
            type: url === null ? 'opened' : 'clicked',
            url,
            bot_reason: classification,
            occurred_at: occurredAt,
          },
        ]
      : [],
  );

/** Returns the due events with their classification, grouped by message and in the order of their requests. */
function classified(events: readonly EventToClassify[]): ClassifiedEvent[] {
  const messages = new Map<number, EventToClassify[]>();
  for (const event of events) {
    const ofMessage = messages.get(event.message_id) ?? [];
    ofMessage.push(event);
    messages.set(event.message_id, ofMessage);
  }
  return [...messages.values()].flatMap((ofMessage) => {
    const detections = detectBots(ofMessage);
    const due = ofMessage.filter((event) => event.is_due);
    return due.map((event) => ({ ...event, classification: botReasonOf(event, detections) ?? 'counted' }));
  });
}
