import { Injectable } from '@nestjs/common';
import { refusalSignature } from '@outreach/refusals';
import { Blacklist } from '../../blacklist/index.js';
import { CampaignCompletion, CampaignProtection } from '../../campaigns/index.js';
import { ContactStatuses } from '../../contacts/index.js';
import { Mailboxes } from '../../email-accounts/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ACCOUNT_REFUSED } from '../rules/index.js';
import { returnedMessages } from './message-status.queries.js';
import {
  type AccountRefusals,
  findRefusedRecipients,
  findRestorable,
  lockRefusals,
  queueRefused,
  storeRefusals,
} from './refused-accounts.queries.js';
import type { SendTarget } from './send-target.js';

/** So many recipients that are refused one after the other, with the same words, are not the reason. */
const REFUSED_RECIPIENTS = 10;
/** At so many domains, unless they are all that the account has ever sent to. */
const REFUSED_DOMAINS = 5;
/** How many of the latest refusals are looked at. */
const MAX_LOOKED_AT = 100;

/**
 * Switches accounts off that are refused themselves, whatever their server says of the recipients (decisions, part 7,
 * `sender_refused`; [ADR 71](../../../docs/adr/0071-a-dead-address-and-nothing-else.md)).
 */
@Injectable()
export class RefusedAccounts {
  constructor(
    private readonly mailboxes: Mailboxes,
    private readonly contacts: ContactStatuses,
    private readonly blacklist: Blacklist,
    private readonly protection: CampaignProtection,
    private readonly completion: CampaignCompletion,
  ) {}

  /**
   * Notes that a server has refused a claimed message for good. Locks the account, so that of several refusals at the same
   * time exactly one is the last. At the threshold the account is made inactive, and its refused messages wait for its
   * return, as if they had not been refused.
   * @param reply the words of the server
   * @returns whether the account is refused: the message has to wait, too, and says nothing of its recipient
   */
  async note(tx: WorkspaceScope, { id, email }: SendTarget, reply: string): Promise<boolean> {
    const account = await lockRefusals(tx, id);
    if (!account) return false;
    const signature = refusalSignature(reply, email);
    const isSame = account.signature === signature;
    if (account.is_refused && isSame) return true;
    const refusals: AccountRefusals = {
      ...account,
      signature,
      messages: [...(isSame ? account.messages.filter((each) => each !== id) : []), id].slice(-MAX_LOOKED_AT),
      has_others: account.has_others || (account.messages.length > 0 && !isSame),
    };
    if (!(await isRefused(tx, refusals))) {
      await storeRefusals(tx, refusals);
      return false;
    }
    await storeRefusals(tx, { ...refusals, messages: [], has_others: false });
    await this.mailboxes.deactivate(tx, account.id, 'sender_refused', reply);
    await this.restore(tx, refusals.messages);
    return true;
  }

  /** Undoes what followed from refusals. */
  private async restore(tx: WorkspaceScope, ids: readonly number[]): Promise<void> {
    const refused = await findRestorable(tx, ids);
    if (refused.length === 0) return;
    const bounced = refused.filter((message) => message.is_bounced);
    const contacts = bounced.map((message) => message.contact_id);
    const campaigns = [...new Set(refused.map((message) => message.campaign_id))];
    await this.completion.lock(tx, campaigns);
    const returned = returnedMessages(
      tx,
      bounced.map((message) => message.id),
    );
    await this.protection.revokeBounced(tx, returned);
    await queueRefused(
      tx,
      refused.map((message) => message.id),
      ACCOUNT_REFUSED,
    );
    await this.contacts.revokeBounces(tx, sql`SELECT unnest(${contacts}::bigint[])`, 'service');
    await this.blacklist.revokeBounces(
      tx,
      bounced.map(({ email }) => email),
    );
    await this.completion.reopen(tx, campaigns);
  }
}

async function isRefused(tx: WorkspaceScope, refusals: AccountRefusals): Promise<boolean> {
  if (refusals.messages.length < REFUSED_RECIPIENTS) return false;
  const { recipients, domains, has_sent: hasSent } = await findRefusedRecipients(tx, refusals);
  const isFirst = !hasSent && !refusals.has_others;
  return recipients >= REFUSED_RECIPIENTS && (isFirst || domains >= REFUSED_DOMAINS);
}
