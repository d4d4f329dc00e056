import { type InputContext, type OperationField, storedValue } from '@outreach/http-api/validation';
import { hasDefault } from '../email-accounts.queries.js';
import { EmailAccount } from '../email-account.entity.js';

/** The first account of a workspace becomes its default. */
const isDefault = async (context: InputContext): Promise<boolean> =>
  context.record(EmailAccount)?.is_default ?? !(await hasDefault(context.scope));

/** The fields of an account that only operations change. */
export const ACCOUNT_OPERATIONS: Readonly<Record<string, OperationField>> = {
  is_default: { value: isDefault, by: 'use POST /email-accounts/{id}/set-default' },
  disabled_reason: {
    value: storedValue(() => EmailAccount, 'disabled_reason'),
    by: 'the service sets it when it switches an account off; an update with is_active true clears it',
  },
};
