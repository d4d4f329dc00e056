import type { DomainCheck, DomainChecks } from '@outreach/domain-checks';
import type { DomainSubject } from './domain-subject.js';

const ASK_AGAIN = 'Ask again later with refresh=1.';
const NO_SELECTOR =
  'The selector of this account is not known. ' +
  'Set dkim_selector if the service is to sign its messages, or look at a message that was received.';

/** Returns the checks with what people of this service can do about those whose result is not known. */
export function withAdvice({ mx, spf, dkim, dmarc }: DomainChecks, { dkim_names }: DomainSubject): DomainChecks {
  const hasSelector = dkim_names.length > 0;
  return {
    mx: advised(mx),
    spf: advised(spf),
    dkim: hasSelector ? advised(dkim) : { ...dkim, message: NO_SELECTOR },
    dmarc: advised(dmarc),
  };
}

const advised = (check: DomainCheck): DomainCheck =>
  check.status === 'unknown' ? { ...check, message: `${check.message} ${ASK_AGAIN}` } : check;
