import { isWebhookKey } from '@outreach/sendgrid';
import { IsNotEmpty, IsString } from 'class-validator';
import { customRule, type InputClass, MaxCodePoints, NullableTextField } from '@outreach/http-api/fields';
import { MAX_SECRET_LENGTH } from '../provider.js';

/** Visible ASCII characters only, because the key is sent in an HTTP header. */
const IsApiKey = (): PropertyDecorator =>
  customRule('isApiKey', [], {
    validate: (value) => typeof value === 'string' && /^[\x21-\x7e]*$/.test(value),
    message: (field) => `${field} must hold visible ASCII characters only`,
    schema: {},
  });

/** The "Verification Key" that SendGrid shows. */
const IsWebhookKey = (): PropertyDecorator =>
  customRule('isWebhookKey', [], {
    validate: (value) => typeof value === 'string' && isWebhookKey(value),
    message: (field) => `${field} must be a public key on the curve P-256, as DER in base64`,
    schema: {},
  });

/** The keys of an account at SendGrid. */
export function sendgridInputs(base: InputClass): InputClass {
  class SendgridInputs extends base {
    /**
     * An API key of SendGrid with the permission "Mail Send", at most 1,000 characters. It is stored encrypted and never
     * shown.
     */
    @IsString() @IsNotEmpty() @IsApiKey() @MaxCodePoints(MAX_SECRET_LENGTH) sendgrid_api_key?: string;
    /**
     * The "Verification Key" of SendGrid's signed event webhook (base64). It is required to receive deliveries, bounces,
     * opens and clicks from SendGrid. If a workspace has more than ten keys, events about its messages are verified with those of
     * the accounts that have sent them, other requests with those of its ten newest accounts.
     */
    @IsWebhookKey() @NullableTextField(MAX_SECRET_LENGTH) sendgrid_webhook_key?: string | null;
  }
  return SendgridInputs;
}
