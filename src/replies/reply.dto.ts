import { IsNotEmpty, IsOptional, IsString } from 'class-validator';
import { customRule, IsId, OptionalField } from '@outreach/http-api/fields';
import { RefersTo } from '@outreach/http-api/validation';
import { Campaign } from '../campaigns/index.js';
import { Contact } from '../contacts/index.js';
import { EmailAccount } from '../email-accounts/index.js';
import { cachedCount, type Sql, type SqlValue } from '../platform/database/index.js';
import { CursorListQuery } from '../platform/http/cursors/index.js';
import { IntegerQuery } from '../platform/tenancy/index.js';
import { IsLiteralHtml } from '../templates/index.js';

const CLASSIFICATION = /^[a-z0-9_-]{1,50}$/;

/** A class-validator rule for a classification: one that the service gives, or one of the client's own. */
const IsClassification = (): PropertyDecorator =>
  customRule('isClassification', [], {
    validate: (value) => typeof value === 'string' && CLASSIFICATION.test(value),
    message: (field) => `${field} must have 1 to 50 characters of a-z, 0-9, _ and -`,
    schema: { type: 'string', pattern: '^[a-z0-9_-]{1,50}$' },
  });

export class AnswerReplyDto {
  /** The HTML of the answer. It is sent as it is: variables are not filled in. At most 256 KB. */
  @IsLiteralHtml() @IsNotEmpty() @IsString() body!: string;
}

export class UpdateReplyDto {
  /**
   * `reply`, `out_of_office`, `automatic`, or one of your own: 1 to 50 characters of `a-z`, `0-9`, `_` and `-`. It changes
   * nothing but the record: no enrollment is ended or continued.
   */
  @OptionalField() @IsClassification() classification?: string;
}

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
