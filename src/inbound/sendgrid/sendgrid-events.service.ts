import { Injectable } from '@nestjs/common';
import { SendgridSignatures } from '../../email-accounts/index.js';
import { BadRequest, Forbidden } from '../../platform/errors/index.js';
import { MEGABYTE, structureErrors, type UnreadBody } from '../../platform/http/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { DeliveryReports } from '../../sending/index.js';
import { InboundKeys } from '../inbound-keys.cross-tenant.js';
import { InboundQueue } from '../inbound-queue.js';
import type { Receipt } from '../inbound.view.js';
import { groupReports, reportsOf } from './sendgrid-events.js';
import type { RequestSignature } from './signed-request.js';

class NotFromSendgrid extends Forbidden {
  constructor() {
    super('The signature is missing, or does not match any sendgrid_webhook_key of the workspace.');
  }
}

@Injectable()
export class SendgridEventsService {
  constructor(
    private readonly keys: InboundKeys,
    private readonly queue: InboundQueue,
    private readonly signatures: SendgridSignatures,
    private readonly deliveryReports: DeliveryReports,
  ) {}

  /**
   * Records the events. Events of unknown kinds and about unknown messages are ignored.
   * @throws NotFound if the key is invalid, Busy if too many reports to the workspace wait, Forbidden if the signature is
   *   invalid, BadRequest if the body is not an array
   */
  async receive(key: string, signature: RequestSignature, body: UnreadBody): Promise<Receipt> {
    const scope = await this.keys.open(key);
    return this.queue.run(scope, body, async () =>
      this.record(scope, signature, await body.read('application/json', MEGABYTE)),
    );
  }

  private async record(scope: WorkspaceScope, signature: RequestSignature, bytes: Buffer): Promise<Receipt> {
    const content = parseJson(bytes);
    if (!(await this.signatures.verify(scope, { ...signature, body: bytes }))) throw new NotFromSendgrid();
    if (!Array.isArray(content)) throw new BadRequest(400, 'The body must be a JSON array of events.');
    const reports = reportsOf(content, scope.clock.now());
    const found = await this.deliveryReports.find(
      scope,
      reports.map((report) => report.message_id),
    );
    const known = reports.filter((report) => found.has(report.message_id));
    // Sorted by time; equal reports are recorded in one statement.
    for (const { message_ids: messageIds, report } of groupReports(known)) {
      const ids = new Set(messageIds.flatMap((messageId) => found.get(messageId) ?? []));
      await this.deliveryReports.record(scope, [...ids], report);
    }
    return { matched: known.length };
  }
}

/** How many values a body has. SendGrid sends at most some thousand events of about twenty values. */
const MAX_VALUES = 100_000;

/** @throws BadRequest if the body is not JSON, or has too many values or levels. Returns undefined if there is none. */
function parseJson(bytes: Buffer): unknown {
  if (structureErrors(bytes, MAX_VALUES)) throw new BadRequest(400, 'The body has too many values or levels.');
  try {
    return bytes.length === 0 ? undefined : JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new BadRequest(400, 'The body is not valid JSON.');
  }
}
