import { Injectable, StreamableFile } from '@nestjs/common';
import { Log } from '../../platform/logging/index.js';
import { HIDDEN_LINK } from '../../sending/index.js';
import { type LinkedMessage, RecipientLinks } from '../recipient-links.crossing.js';
import { insertHit, type NewHit } from './hits.queries.js';
import type { Visitor } from './visitor.js';

/** One transparent pixel. */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** Writes down who asks for the pictures and links of messages. What of it counts is decided a little later. */
@Injectable()
export class HitsService {
  constructor(
    private readonly links: RecipientLinks,
    private readonly log: Log,
  ) {}

  /** @throws NotFound for a token that was not made here */
  async open(token: string, visitor: Visitor): Promise<StreamableFile> {
    const message = this.links.openPicture(token);
    await this.record(message, visitor, { kind: 'open', link: null, url: null, verdict: 'undecided' });
    return new StreamableFile(PICTURE, { type: 'image/gif', length: PICTURE.length });
  }

  /** @returns where the link leads. @throws NotFound for a token that was not made here */
  async follow(token: string, visitor: Visitor): Promise<{ url: string }> {
    const { link, url, ...message } = this.links.openClick(token);
    const verdict = link === HIDDEN_LINK ? 'hidden_link' : 'undecided';
    await this.record(message, visitor, { kind: 'click', link, url, verdict });
    return { url };
  }

  /** People get where the link leads even while the database is away: it is the hit that is lost then. */
  private async record(
    { scope, message_id }: LinkedMessage,
    { user_agent, machine }: Visitor,
    hit: Pick<NewHit, 'kind' | 'link' | 'url' | 'verdict'>,
  ): Promise<void> {
    try {
      await insertHit(scope, { ...hit, message_id, user_agent, verdict: machine ?? hit.verdict });
    } catch (error) {
      this.log.error('a hit was not recorded', { error, kind: hit.kind });
    }
  }
}
