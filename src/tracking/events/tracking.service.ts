import { Injectable, StreamableFile } from '@nestjs/common';
import { Log } from '../../platform/logging/index.js';
import { HIDDEN_LINK } from '../../sending/index.js';
import { type LinkedMessage, RecipientLinks } from '../recipient-links.cross-tenant.js';
import { insertTrackingEvent, type NewTrackingEvent } from './tracking-events.queries.js';
import type { Visitor } from './visitor.js';

/** A GIF with one transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** Stores requests for pixels and links as tracking events. {@link BotClassifier} decides seconds later which of them count. */
@Injectable()
export class TrackingService {
  constructor(
    private readonly links: RecipientLinks,
    private readonly log: Log,
  ) {}

  /** @throws NotFound if the signature of the token is invalid */
  async open(token: string, visitor: Visitor): Promise<StreamableFile> {
    const message = this.links.openPixel(token);
    await this.record(message, visitor, { kind: 'open', link: null, url: null, classification: 'undecided' });
    return new StreamableFile(PIXEL, { type: 'image/gif', length: PIXEL.length });
  }

  /** @returns the target of the link. @throws NotFound if the signature of the token is invalid */
  async follow(token: string, visitor: Visitor): Promise<{ url: string }> {
    const { link, url, ...message } = this.links.openClick(token);
    const classification = link === HIDDEN_LINK ? 'hidden_link' : 'undecided';
    await this.record(message, visitor, { kind: 'click', link, url, classification });
    return { url };
  }

  /** If the database is down, the event is lost but the redirect still works. */
  private async record(
    { scope, message_id }: LinkedMessage,
    { user_agent, botReason }: Visitor,
    event: Pick<NewTrackingEvent, 'kind' | 'link' | 'url' | 'classification'>,
  ): Promise<void> {
    try {
      await insertTrackingEvent(scope, {
        ...event,
        message_id,
        user_agent,
        classification: botReason ?? event.classification,
      });
    } catch (error) {
      this.log.error('a tracking event was not stored', { error, kind: event.kind });
    }
  }
}
