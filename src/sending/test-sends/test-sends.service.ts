import { Injectable } from '@nestjs/common';
import { LoginRefused, ProviderUnavailable, type SendResult } from '@outreach/mail-sessions';
import { NotFound } from '@outreach/http-errors';
import { type Campaign, type Step, type StepRecord, stepRecords } from '../../campaigns/index.js';
import { Contact } from '../../contacts/index.js';
import { type ComposedMail, type Mailbox, Mailboxes } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { brandValues, workspaceIdentity } from '../../templates/index.js';
import { Composer } from '../composing/index.js';
import { RecipientObstacles } from '../recipients/index.js';
import { countSent, refundQuota } from '../results/index.js';
import { type Transport, Transports } from '../transports/index.js';
import { firstUsableAccount, reserveMessage } from './test-send-account.js';
import type { SendTestDto } from './send-test.dto.js';
import { NoUsableAccount } from './test-send.errors.js';
import type { TestSend } from './test-send.view.js';

/** How long opening a session may take. */
const OPENING_TIMEOUT_MS = 10_000;
/** How long the mail server may take for the message. After that its connection is closed. */
const TIMEOUT_MS = 30_000;

/** A message that no server can have accepted. */
interface NotSent {
  readonly kind: 'not sent';
  readonly reason: string;
}

/** Sends a step to one address, at once, so that its author can see it in a mailbox. */
@Injectable()
export class TestSends {
  constructor(
    private readonly mailboxes: Mailboxes,
    private readonly composer: Composer,
    private readonly transports: Transports,
    private readonly obstacles: RecipientObstacles,
  ) {}

  /**
   * Sends from the first account of the campaign that may send now. No transaction is open while the server is waited for.
   * @throws RecipientRefused, NoUsableAccount, AccountMayNotSend; RuleViolated for its template; NotFound if the
   *   step or the contact was deleted in the meantime
   */
  async send(scope: WorkspaceScope, campaign: Campaign, step: Step, dto: SendTestDto): Promise<TestSend> {
    await this.obstacles.assertMayReceive(scope, { address: dto.to, contact_id: null });
    const mailbox = await this.mailboxes.find(scope, await firstUsableAccount(scope, campaign));
    if (!mailbox) throw new NoUsableAccount();
    const mail = await this.compose(scope, { campaign, step, mailbox }, dto);
    const reserved = await scope.transaction((tx) => reserveMessage(tx, mailbox.id));
    await scope.commitChunk();
    const result = await this.transmit(scope, mailbox, mail);
    await scope.transaction(async (tx) => {
      if (isCertainlyUnsent(result)) await refundQuota(tx, [reserved]);
      else if (result.kind === 'accepted') await countSent(tx, [reserved]);
    });
    return testSendOf(result, mail);
  }

  private async compose(
    scope: WorkspaceScope,
    { campaign, step, mailbox }: { readonly campaign: Campaign; readonly step: Step; readonly mailbox: Mailbox },
    { to, contact_id: contactId, variant_id: variantId }: SendTestDto,
  ): Promise<ComposedMail> {
    const text = textOf(await stepRecords(scope).get(step.id), variantId);
    const [contact] = contactId == null ? [] : await scope.of(Contact).find({ id: contactId });
    if (contactId != null && !contact) throw new NotFound('Contact');
    const { from_name: name, from_email: email } = mailbox;
    const { postal_address: address, ...identity } = await workspaceIdentity(scope);
    const sender = { name, email, postal_address: address ?? '', brand: brandValues(identity, name) };
    const { unsubscribe_footer, language } = campaign;
    const source = { ...text, to, contact: contact ?? null, unsubscribe_footer, language };
    return this.composer.composeTest(scope, sender, source);
  }

  private async transmit(scope: WorkspaceScope, mailbox: Mailbox, mail: ComposedMail): Promise<SendResult | NotSent> {
    try {
      const { credentials } = mailbox;
      const transport = await this.transports.acquire(scope, credentials, { timeoutMs: OPENING_TIMEOUT_MS });
      // The refresh of an access token may have begun a transaction.
      await scope.commitChunk();
      const result = await sendWithin(transport, mail);
      this.transports.release(scope, credentials, transport);
      return result;
    } catch (error) {
      if (error instanceof LoginRefused || error instanceof ProviderUnavailable) {
        return { kind: 'not sent', reason: error.message };
      }
      throw error;
    }
  }
}

/** After the timeout the connection is closed, so that the transport returns its result. */
async function sendWithin(transport: Transport, mail: ComposedMail): Promise<SendResult> {
  const timer = setTimeout(() => transport.close(), TIMEOUT_MS);
  try {
    return await transport.send(mail, { mayContinue: () => Promise.resolve(true), isRepeated: false });
  } finally {
    clearTimeout(timer);
  }
}

/** The text that is sent: of the variant, or of the first one that contacts get, or of the step. */
function textOf(step: StepRecord, variantId: number | null | undefined): { subject: string; body: string } {
  const { variants } = step;
  const variant =
    variantId == null ? variants.find(({ weight }) => weight > 0) : variants.find(({ id }) => id === variantId);
  if (variantId != null && !variant) throw new NotFound('Variant');
  return { subject: variant?.subject ?? step.subject, body: variant?.body ?? step.body };
}

const isCertainlyUnsent = (result: SendResult | NotSent): boolean =>
  result.kind === 'lost' ? !result.uncertain : result.kind !== 'accepted';

function testSendOf(result: SendResult | NotSent, { message_id }: ComposedMail): TestSend {
  switch (result.kind) {
    case 'accepted':
      return { success: true, message: 'The mail server has accepted the message.', message_id };
    case 'refused':
      return { success: false, message: result.response, message_id: null };
    case 'lost':
      return { success: false, message: result.reason, message_id: result.uncertain ? message_id : null };
    case 'not sent':
      return { success: false, message: result.reason, message_id: null };
    case 'aborted':
      return { success: false, message: 'The message was not sent.', message_id: null };
    default:
      return result satisfies never;
  }
}
