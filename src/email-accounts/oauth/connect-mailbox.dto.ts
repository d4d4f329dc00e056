import { IsInt, Max, Min } from 'class-validator';
import type { FieldErrors } from '@outreach/http-errors';
import { NullableTextField, NullResetsTo, NameField, NullableNameField } from '@outreach/http-api/fields';
import { CheckedBy, type InputCheck } from '@outreach/http-api/validation';
import { DEFAULT_DAILY_LIMIT, MAX_DAILY_LIMIT } from '../email-account.entity.js';
import { RedirectOrigins } from './redirect-origins.js';

const MAX_URL_LENGTH = 2000;

const redirectErrors: InputCheck<ConnectMailboxDto> = ({ redirect_to: url }, { context }): FieldErrors => {
  if (url === undefined || url === null || context.inject(RedirectOrigins).allows(url)) return {};
  return { redirect_to: ['redirect_to must be a URL of an origin that OAUTH_REDIRECT_ORIGINS allows.'] };
};

@CheckedBy(redirectErrors)
export class ConnectMailboxDto {
  /** The name of the new account, for you. A mailbox that is connected again keeps its own. */
  @NameField(255) name!: string;
  /** The sender's name in the header `From`. Default: the name that the provider knows, else the address. */
  @NullableNameField(255) from_name?: string | null;
  /** How many messages the new account sends in a day (UTC) at most. */
  @NullResetsTo(DEFAULT_DAILY_LIMIT) @Max(MAX_DAILY_LIMIT) @Min(1) @IsInt() daily_limit: number = DEFAULT_DAILY_LIMIT;
  /**
   * Where the browser is sent at the end, with `status=connected&email_account_id=…` or `status=failed&reason=…` added
   * to the query: a URL of an origin that the operator allows. Without it a page shows the result.
   */
  @NullableTextField(MAX_URL_LENGTH) redirect_to?: string | null;
}
