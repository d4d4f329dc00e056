import type { DnsQueries } from '@outreach/egress';
import { check, type DomainCheck, unanswered } from './domain-check.js';
import { expanded, isSpf, type Mechanism, parseSpf, type SpfRecord } from './spf-record.js';

/** RFC 7208, 4.6.4. */
const MAX_LOOKUPS = 10;
const MAX_VOID_LOOKUPS = 2;
const NEED_LOOKUP = new Set(['include', 'a', 'mx', 'ptr', 'exists']);

/** A record that is evaluated. */
interface Evaluated {
  readonly record: SpfRecord;
  readonly domain: string;
  /** The domains whose records led to it, and its own. */
  readonly path: readonly string[];
  /** Whether what it lets pass is let pass by the domain's own record. */
  readonly passes: boolean;
}

/**
 * Checks the SPF record of a domain, with those that it includes (RFC 7208). All terms count as if they were evaluated,
 * because a message from an unknown server needs them all.
 * @param includes the domains of the provider's own records, of which one should be included; none if it is not known
 */
export async function checkSpf(dns: DnsQueries, domain: string, includes: readonly string[]): Promise<DomainCheck> {
  const found = await dns.txt(domain);
  if (found.kind === 'unavailable') return unanswered(domain);
  const records = found.kind === 'found' ? found.records.filter(isSpf) : [];
  if (records.length === 0) return check('fail', [], missing(domain, includes));
  if (records.length > 1)
    return check('fail', records, `${domain} has ${records.length} SPF records; it must have one. Join them.`);
  const [text = ''] = records;
  const evaluation = new Evaluation(dns, domain, includes);
  await evaluation.evaluate(text, { domain, path: [domain], passes: true });
  return evaluation.result(records);
}

const missing = (domain: string, [include]: readonly string[]): string =>
  `${domain} has no SPF record. Publish one such as “v=spf1 ${include === undefined ? 'mx' : `include:${include}`} ~all”.`;

/** One evaluation, which follows includes and redirects. */
class Evaluation {
  private lookups = 0;
  private voidLookups = 0;
  /** What makes the record useless. */
  private problem: string | undefined;
  private isUnanswered: string | undefined;
  private passesAll = false;
  private hasAll = false;
  private hasInclude = false;

  constructor(
    private readonly dns: DnsQueries,
    private readonly sender: string,
    private readonly includes: readonly string[],
  ) {}

  async evaluate(text: string, at: Omit<Evaluated, 'record'>): Promise<void> {
    const record = parseSpf(text);
    if ('invalid' in record) return this.fail(`“${record.invalid}” in the SPF record of ${at.domain} is not valid.`);
    const { mechanisms, redirect } = record;
    const all = mechanisms.find((mechanism) => mechanism.kind === 'all');
    if (all && at.path.length === 1) this.hasAll = true;
    if (at.passes && mechanisms.some(passesEverything)) this.passesAll = true;
    this.lookups += mechanisms.filter(({ kind }) => NEED_LOOKUP.has(kind)).length + (redirect === undefined ? 0 : 1);
    if (this.lookups > MAX_LOOKUPS || this.problem !== undefined) return;
    const followed = mechanisms.map((mechanism) => this.follow(mechanism, { ...at, record }));
    const redirected = redirect === undefined ? undefined : this.include(redirect, { ...at, record }, at.passes);
    await Promise.all([...followed, redirected]);
  }

  result(records: readonly string[]): DomainCheck {
    if (this.lookups > MAX_LOOKUPS) {
      const advice =
        'Receivers then ignore the record (RFC 7208, 4.6.4): remove includes of services that you do not use.';
      return check('fail', records, `The record needs more than ${MAX_LOOKUPS} DNS lookups. ${advice}`);
    }
    if (this.problem !== undefined) return check('fail', records, this.problem);
    if (this.passesAll)
      return check('fail', records, 'The record lets everyone send for the domain. End it with “~all”.');
    if (this.voidLookups > MAX_VOID_LOOKUPS)
      return check(
        'fail',
        records,
        `${this.voidLookups} of its names have no record; at most ${MAX_VOID_LOOKUPS} may be so.`,
      );
    if (this.isUnanswered !== undefined) return unanswered(this.isUnanswered, records);
    const [include] = this.includes;
    if (include !== undefined && !this.hasInclude)
      return check(
        'warn',
        records,
        `The servers of this account are not in it. Add “include:${include}” before “all”.`,
      );
    const ending = this.hasAll ? '' : ' It does not end with “all”, so it says nothing about other servers.';
    return check(
      'pass',
      records,
      `The record is valid and needs ${this.lookups} of ${MAX_LOOKUPS} DNS lookups.${ending}`,
    );
  }

  private fail(problem: string): void {
    this.problem ??= problem;
  }

  private async follow(mechanism: Mechanism, from: Evaluated): Promise<void> {
    const { kind, qualifier, domain } = mechanism;
    if (kind === 'include') return this.include(domain ?? '', from, from.passes && qualifier === '+');
    if (kind !== 'a' && kind !== 'mx' && kind !== 'exists') return;
    const name = expanded(domain ?? from.domain, from.domain, this.sender);
    if (name === undefined) return;
    const found = kind === 'mx' ? await this.dns.mx(name) : await this.dns.addresses(name);
    if (found.kind === 'none') this.voidLookups += 1;
  }

  /** Evaluates the record of another domain. One whose name depends on the message only counts. */
  private async include(spec: string, from: Evaluated, passes: boolean): Promise<void> {
    const domain = expanded(spec, from.domain, this.sender);
    if (domain === undefined) return;
    if (from.path.includes(domain)) return this.fail(`The SPF record of ${domain} includes itself.`);
    const isOfProvider = this.includes.some((name) => domain === name || domain.endsWith(`.${name}`));
    if (isOfProvider && passes) this.hasInclude = true;
    const found = await this.dns.txt(domain);
    if (found.kind === 'unavailable') {
      this.isUnanswered ??= domain;
      return;
    }
    const [text, ...others] = found.kind === 'found' ? found.records.filter(isSpf) : [];
    if (others.length > 0) return this.fail(`${domain}, which the record includes, has several SPF records.`);
    if (text !== undefined) return this.evaluate(text, { domain, path: [...from.path, domain], passes });
    // The owner of the domain cannot correct the records of the provider, and they are never missing for long.
    if (!isOfProvider) this.fail(`${domain}, which the record includes, has no SPF record.`);
  }
}

/** Whether a mechanism lets every server pass. */
const passesEverything = ({ kind, qualifier, network }: Mechanism): boolean =>
  qualifier === '+' && (kind === 'all' || (network?.endsWith('/0') ?? false));
