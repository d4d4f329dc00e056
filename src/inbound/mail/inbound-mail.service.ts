import { Injectable } from '@nestjs/common';
import { MAX_USED_BYTES } from '@outreach/mail-reading';
import { ValidationFailed } from '@outreach/http-errors';
import { MEGABYTE, type UnreadBody } from '@outreach/http-api/body';
import type { ProviderForm } from '../../email-accounts/index.js';
import { InboundKeys } from '../inbound-keys.cross-tenant.js';
import { InboundQueue } from '../inbound-queue.js';
import type { Receipt } from '../inbound.view.js';
import { ReceivedMails } from './received-mails.js';

const MAX_MAIL_BYTES = 10 * MEGABYTE;

@Injectable()
export class InboundMailService {
  constructor(
    private readonly keys: InboundKeys,
    private readonly queue: InboundQueue,
    private readonly mails: ReceivedMails,
  ) {}

  /**
   * Records what a mail reports about a message of the workspace. Other mails are ignored, also those that cannot be
   * read: a mail server would send them again for days, with the same result.
   * @throws NotFound if the key is invalid, Busy if too many reports to the workspace wait, BadRequest if the body is too
   *   large or has another media type
   */
  async receive(key: string, body: UnreadBody): Promise<Receipt> {
    const scope = await this.keys.open(key);
    return this.queue.run(scope, body, async () =>
      this.mails.record(scope, await body.readStart('message/rfc822', MAX_MAIL_BYTES, MAX_USED_BYTES)),
    );
  }

  /**
   * Records what the mail in a form of a provider reports, like {@link receive}.
   * @throws NotFound, Busy and BadRequest like {@link receive}, ValidationFailed if the form has no raw message
   */
  async receiveForm(form: ProviderForm, key: string, body: UnreadBody): Promise<Receipt> {
    const { provider, part, option, max_megabytes } = form;
    const scope = await this.keys.open(key);
    return this.queue.run(scope, body, async () => {
      const raw = await body.readPart(part, max_megabytes * MEGABYTE, MAX_USED_BYTES);
      if (!raw) {
        const error = `${part} must be the raw message: select "${option}" at ${provider}`;
        throw new ValidationFailed({ [part]: [error] });
      }
      return this.mails.record(scope, raw);
    });
  }
}
