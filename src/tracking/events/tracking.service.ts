import { Injectable, StreamableFile } from '@nestjs/common';
import { HIDDEN_LINK, type Visitor } from '@outreach/bot-detection';
import { Log } from '@outreach/logging';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type BotReason, Engagement } from '../../sending/index.js';
import { type LinkedMessage, RecipientLinks } from '../recipient-links.cross-tenant.js';
import { insertTrackingEvent, type NewTrackingEvent } from './tracking-events.queries.js';

/** A GIF with one transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/**
 * Stores requests for pixels and links as tracking events. {@link BotClassifier} decides seconds later which of them count,
 * unless a request shows by itself that a bot makes it.
 */
@Injectable()
export class TrackingService {
  constructor(
    private readonly links: RecipientLinks,
    private readonly engagement: Engagement,
    private readonly log: Log,
  ) {}

  /** @param tx the open transaction, if there is one. @throws NotFound if the signature of the token is invalid */
  async open(token: string, visitor: Visitor, tx?: WorkspaceScope): Promise<StreamableFile> {
    const message = this.links.openPixel(token, tx);
    await this.record(message, visitor, { kind: 'open', link: null, url: null });
    return new StreamableFile(PIXEL, { type: 'image/gif', length: PIXEL.length });
  }

  /** @returns the target of the link. @throws NotFound if the signature of the token is invalid */
  async follow(token: string, visitor: Visitor, tx?: WorkspaceScope): Promise<{ url: string }> {
    const { link, url, ...message } = this.links.openClick(token, tx);
    await this.record(message, visitor, { kind: 'click', link, url });
    return { url };
  }

  /** If the database is down, the event is lost but the redirect still works. */
  private async record(
    { open, message_id }: LinkedMessage,
    { user_agent, botReason }: Visitor,
    event: Pick<NewTrackingEvent, 'kind' | 'link' | 'url'>,
  ): Promise<void> {
    const reason = botReason ?? (event.link === HIDDEN_LINK ? 'hidden_link' : undefined);
    const stored: NewTrackingEvent = { ...event, message_id, user_agent, classification: reason ?? 'undecided' };
    try {
      const scope = await open();
      if (reason) await this.recordBot(scope, stored, reason);
      else await insertTrackingEvent(scope, stored);
    } catch (error) {
      this.log.error('a tracking event was not stored', { error, kind: event.kind });
    }
  }

  /** Stores a request that shows by itself that a bot makes it, with what follows from it. */
  private recordBot(scope: WorkspaceScope, event: NewTrackingEvent, reason: BotReason): Promise<void> {
    return scope.transaction(async (tx) => {
      const occurredAt = await insertTrackingEvent(tx, event);
      if (!occurredAt) return;
      const { message_id, kind, url } = event;
      const type = kind === 'open' ? 'opened' : 'clicked';
      await this.engagement.recordBotActivity(tx, [
        { message_id, type, url, bot_reason: reason, occurred_at: occurredAt },
      ]);
    });
  }
}
