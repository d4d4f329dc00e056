import { IsOptional } from 'class-validator';
import { Campaign } from '../../campaigns/index.js';
import { Contact } from '../../contacts/index.js';
import { EmailAccount } from '../../email-accounts/index.js';
import { cachedCount, type Sql, type SqlValue } from '../../platform/database/index.js';
import { CursorListQuery } from '../../platform/http/cursors/index.js';
import { IsId } from '../../platform/http/fields/index.js';
import { RefersTo } from '../../platform/http/validation/index.js';
import { IntegerQuery } from '../../platform/tenancy/index.js';
import { IsClassification } from '../reply-classification.js';

export class ReplyListQuery extends CursorListQuery({
  sort: ['created_at', 'received_at'],
  search: ['subject', 'text'],
  filters: ['campaign_id', 'contact_id', 'email_account_id', 'classification'],
}) {
  /** Only replies to messages of this campaign. 422 if it does not exist. */
  @IsOptional() @IntegerQuery() @RefersTo(() => Campaign) @IsId() campaign_id?: number;
  /** Only replies to messages to this contact. 422 if it does not exist. */
  @IsOptional() @IntegerQuery() @RefersTo(() => Contact) @IsId() contact_id?: number;
  /** Only replies to messages of this email account. 422 if it does not exist. */
  @IsOptional() @IntegerQuery() @RefersTo(() => EmailAccount) @IsId() email_account_id?: number;
  /** Only replies with this classification: `reply`, `out_of_office`, `automatic`, or one of your own. */
  @IsOptional() @IsClassification() classification?: string;

  override knownTotal(scope: SqlValue): Sql | undefined {
    return [...this.clauses()].length === 0 ? cachedCount(scope, 'replies') : undefined;
  }
}
