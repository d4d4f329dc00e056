import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { findWebhookKeys } from './email-accounts.queries.js';
import { isSignedBy, type SignedEvents } from './sendgrid/index.js';

/** Whether what calls itself SendGrid is SendGrid. */
@Injectable()
export class SendgridSignatures {
  /** Whether events are signed for one of the workspace's SendGrid accounts. */
  async verify(scope: WorkspaceScope, events: SignedEvents): Promise<boolean> {
    const keys = await findWebhookKeys(scope);
    return keys.some((key) => isSignedBy(key, events));
  }
}
