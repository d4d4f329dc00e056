import type { InputContext, OperationField } from '@outreach/http-api/validation';
import { Webhook } from '../webhook.entity.js';
import { WebhookSecrets } from '../webhook-secrets.js';
import { SecretUnreadable } from '../webhook.errors.js';
import { findTarget } from '../webhooks.queries.js';

/** The secret of the stored webhook; undefined for a new one, whose secret the service makes, and if it cannot be read. */
async function storedSecret(context: InputContext): Promise<string | undefined> {
  const webhook = context.record(Webhook);
  if (!webhook) return undefined;
  const { secret } = await findTarget(context.scope, webhook.id);
  try {
    return context.inject(WebhookSecrets).decrypt(context.scope, secret);
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined;
    throw error;
  }
}

/** The fields of a webhook that only operations change. */
export const SECRET_OPERATIONS: Readonly<Record<string, OperationField>> = {
  secret: {
    value: storedSecret,
    by: 'the service makes it; use POST /webhooks/{id}/regenerate-secret for another one',
  },
};
