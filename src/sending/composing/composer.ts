import { Injectable } from '@nestjs/common';
import type { ComposedMail } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MessageLinks } from '../message-links.js';
import { compose, type MailSource, type Sender } from './compose.js';
import { Tracking } from './tracking.js';

/** Composes messages with their Message-ID, their unsubscribe link and, if the campaign tracks, the tracking links. */
@Injectable()
export class Composer {
  constructor(private readonly links: MessageLinks) {}

  /**
   * Composes one message. A message that was composed before keeps its Message-ID.
   * @throws RenderedTooLong
   */
  compose(scope: WorkspaceScope, sender: Sender, source: MailSource): ComposedMail {
    const { workspace_id: workspaceId } = scope;
    const ref = { workspace_id: workspaceId, message_id: source.id };
    const tracks = source.track_opens || source.track_clicks;
    return compose(source, {
      sender,
      message_id: source.message_id ?? this.links.messageId(workspaceId, source, sender.email),
      unsubscribe_url: this.links.unsubscribeUrl(ref),
      ...(tracks && { tracking: new Tracking(this.links, ref, source) }),
    });
  }
}
