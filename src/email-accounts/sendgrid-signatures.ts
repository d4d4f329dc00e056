import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { findWebhookKeys } from './email-accounts.queries.js';
import { isSignedBy, type SignedEvents } from './sendgrid/index.js';

/** Verifies that events come from SendGrid. */
@Injectable()
export class SendgridSignatures {
  /** Returns whether the signature of events is valid for one of the SendGrid accounts of the workspace. */
  async verify(scope: WorkspaceScope, events: SignedEvents): Promise<boolean> {
    const keys = await findWebhookKeys(scope);
    return keys.some((key) => isSignedBy(key, events));
  }
}
