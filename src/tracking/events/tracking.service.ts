import { Injectable, StreamableFile } from '@nestjs/common';
import { Log } from '../../platform/logging/index.js';
import { HIDDEN_LINK } from '../../sending/index.js';
import { type LinkedMessage, RecipientLinks } from '../recipient-links.cross-tenant.js';
import { insertTrackingEvent, type NewTrackingEvent } from './tracking-events.queries.js';
import type { Visitor } from './visitor.js';

/** One transparent pixel. */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** Writes down who asks for the pictures and links of messages. What of it counts is decided a little later. */
@Injectable()
export class TrackingService {
  constructor(
    private readonly links: RecipientLinks,
    private readonly log: Log,
  ) {}

  /** @throws NotFound for a token that was not made here */
  async open(token: string, visitor: Visitor): Promise<StreamableFile> {
    const message = this.links.openPicture(token);
    await this.record(message, visitor, { kind: 'open', link: null, url: null, classification: 'undecided' });
    return new StreamableFile(PICTURE, { type: 'image/gif', length: PICTURE.length });
  }

  /** @returns where the link leads. @throws NotFound for a token that was not made here */
  async follow(token: string, visitor: Visitor): Promise<{ url: string }> {
    const { link, url, ...message } = this.links.openClick(token);
    const classification = link === HIDDEN_LINK ? 'hidden_link' : 'undecided';
    await this.record(message, visitor, { kind: 'click', link, url, classification });
    return { url };
  }

  /** People get where the link leads even while the database is away: it is the hit that is lost then. */
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
      this.log.error('a hit was not recorded', { error, kind: event.kind });
    }
  }
}
