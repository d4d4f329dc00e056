import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CampaignLanguage } from '../../campaigns/index.js';
import type { ContactVariablesRow } from '../../contacts/index.js';
import type { WorkspaceIdentity } from '../../templates/index.js';

export interface MessageContact {
  readonly contact_id: number;
  readonly email: string;
  /** The name of the account that has sent it; null if that was deleted. */
  readonly sender_name: string | null;
  readonly custom_fields: ContactVariablesRow['custom_fields'];
  readonly campaign_language: CampaignLanguage | null;
}

/** What the page behind an unsubscribe link shows of a workspace. */
export type ShownBrand = Pick<WorkspaceIdentity, 'brand_name' | 'logo_url'>;

const senderName = (scope: WorkspaceScope, messageId: number): Sql =>
  sql`(SELECT account.from_name FROM all_messages sent
        JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = sent.email_account_id
        WHERE sent.workspace_id = ${scope} AND sent.id = ${messageId})`;

const campaignLanguage = (scope: WorkspaceScope, messageId: number): Sql =>
  sql`(SELECT campaign.language FROM all_messages sent
        JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = sent.campaign_id
        WHERE sent.workspace_id = ${scope} AND sent.id = ${messageId})`;

/** What is known of the recipient in the record `contact`. */
const recipientColumns = (scope: WorkspaceScope, messageId: number): Sql =>
  sql`contact.id AS contact_id, contact.email, contact.custom_fields,
    ${senderName(scope, messageId)} AS sender_name, ${campaignLanguage(scope, messageId)} AS campaign_language`;

/** Returns the recipient of a message, or undefined if the message or the contact was deleted. */
export async function findRecipient(scope: WorkspaceScope, messageId: number): Promise<MessageContact | undefined> {
  return scope.queryOne<MessageContact & { email: string }>(
    sql`SELECT ${recipientColumns(scope, messageId)} FROM all_messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        WHERE message.workspace_id = ${scope} AND message.id = ${messageId}`,
  );
}

/** Like {@link findRecipient}; locks the contact, so that a concurrent deletion comes before or after. */
export async function lockRecipient(scope: WorkspaceScope, messageId: number): Promise<MessageContact | undefined> {
  return scope.queryOne<MessageContact & { email: string }>(
    sql`SELECT ${recipientColumns(scope, messageId)}
        FROM contacts contact
        WHERE contact.workspace_id = ${scope} AND contact.id = (
          SELECT message.contact_id FROM all_messages message
          WHERE message.workspace_id = ${scope} AND message.id = ${messageId})
        FOR NO KEY UPDATE`,
  );
}

/** Returns the brand of the workspace, or undefined if it does not exist or is being deleted. */
export async function brandOfOpenWorkspace(scope: WorkspaceScope): Promise<ShownBrand | undefined> {
  return scope.queryOne<ShownBrand>(
    sql`SELECT brand_name, logo_url FROM workspaces WHERE id = ${scope} AND deletion_started_at IS NULL`,
  );
}
