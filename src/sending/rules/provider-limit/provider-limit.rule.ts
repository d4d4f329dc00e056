import { notBefore } from '@outreach/time-windows';
import { sql } from '../../../platform/database/index.js';
import type { AccountRule } from '../rule.js';

interface LimitedFacts {
  /** Until then the account waits because of a limit of its provider. */
  readonly limited_until: Date | null;
}

/** It is unknown when a provider ends a limit: the account tries again after a time that grows. */
export const providerLimit: AccountRule<LimitedFacts, 'provider_limit'> = {
  /** The email account has reached a limit of its provider. */
  reason: 'provider_limit',
  level: 'account',
  columns: () => sql`account.limited_until`,
  timing: ({ limited_until: end }) => (end ? notBefore('provider_limit', end) : null),
  refusal: 'The email accounts of the campaign have reached a limit of their provider.',
  estimate: {
    capacity: () => Infinity,
    after: () => ({}),
    ofBoth: () => ({ limited_until: null }),
  },
};
