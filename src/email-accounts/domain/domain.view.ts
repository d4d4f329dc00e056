import { CHECK_STATUSES } from '@outreach/domain-checks';
import { is, view } from '@outreach/http-api/responses';
import type { CheckedDomain } from './domain-checks.service.js';

const check = is.shape('DomainCheck', {
  /** How the records are. */
  status: is.oneOf(CHECK_STATUSES),
  /** What was found, several records in lines of their own; null if nothing was. */
  record: is.nullable(is.string),
  /** What it means, and what to do, in a sentence. */
  message: is.string,
});

export const emailAccountDomainView = view(
  'EmailAccountDomain',
  {
    /** The domain of `from_email`. */
    domain: is.string,
    /** Whether replies and bounces reach the domain: it fails without MX record and address, and warns without MX record. */
    mx: check,
    /**
     * Which servers may send for the domain (RFC 7208), with the records that it includes. It fails without a record, with
     * several, if they need more than ten lookups, are not valid or let every server pass, and warns if they do not include
     * the servers of the account's provider.
     */
    spf: check,
    /**
     * The public keys of the signatures (RFC 6376): at the account's `dkim_selector`, else at the selectors of its provider.
     * It fails without a valid key, or if the key is not that of `dkim_private_key`, warns below 2,048 bits or with several
     * keys at one name, and is `unknown` if no selector is known.
     */
    dkim: check,
    /**
     * What receivers do with mail that is not authenticated (RFC 7489), from the record of the domain or of the domain that
     * is registered. It fails without a record, and warns if the policy is `none`.
     */
    dmarc: check,
    /** When the name servers were asked. */
    checked_at: is.timestamp,
  },
  ({ checks: { mx, spf, dkim, dmarc } }: CheckedDomain) => ({ mx, spf, dkim, dmarc }),
);
