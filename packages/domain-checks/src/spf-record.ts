import { isIPv4, isIPv6 } from 'node:net';

/** What a match means: `+` pass, `-` fail, `~` softfail, `?` neutral. */
type Qualifier = '+' | '-' | '~' | '?';

/** A mechanism of a record (RFC 7208, 5). */
export interface Mechanism {
  readonly kind: string;
  readonly qualifier: Qualifier;
  /** The domain that it names, with its macros; undefined if it is that of the record. */
  readonly domain?: string | undefined;
  /** The address of `ip4` and `ip6`, with its length. */
  readonly network?: string | undefined;
}

/** A record without syntax errors. */
export interface SpfRecord {
  /** In their order, to the first `all`, after which nothing is evaluated. */
  readonly mechanisms: readonly Mechanism[];
  /** The domain whose record is used if nothing matches; undefined if there is none, or `all` makes it useless. */
  readonly redirect: string | undefined;
}

const MECHANISM = /^([+?~-]?)(all|include|a|mx|ptr|ip4|ip6|exists)((?:[:/].*)?)$/i;
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/i;
/** RFC 7208, 7.1. */
const MACRO_STRING = /^(?:%\{[slodiphcrtv]\d*r?[.+,/_=-]*\}|%%|%_|%-|[\x21-\x24\x26-\x7e])*$/i;
/** A domain ends with a label that is not a number, or with a macro. */
const DOMAIN_END = /(?:\.(?!\d+\.?$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.?|%\{[^}]*\}|%%|%_|%-)$/i;
const CIDR = /^(.*?)(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/;

/** Whether a TXT record is one of SPF (RFC 7208, 4.5). */
export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/** Returns the record, or the first term that is not valid (RFC 7208, 4.6.1). */
export function parseSpf(text: string): SpfRecord | { readonly invalid: string } {
  const terms = text.split(' ').slice(1).filter(Boolean);
  const modifiers = new Map<string, string>();
  const mechanisms: Mechanism[] = [];
  for (const term of terms) {
    const mechanism = mechanismOf(term);
    if (mechanism) mechanisms.push(mechanism);
    else if (!addModifier(modifiers, term)) return { invalid: term };
  }
  const all = mechanisms.findIndex(({ kind }) => kind === 'all');
  if (all === -1) return { mechanisms, redirect: modifiers.get('redirect') };
  return { mechanisms: mechanisms.slice(0, all + 1), redirect: undefined };
}

function addModifier(modifiers: Map<string, string>, term: string): boolean {
  const [, name = '', value = ''] = MODIFIER.exec(term) ?? [];
  const key = name.toLowerCase();
  const isKnown = key === 'redirect' || key === 'exp';
  const isValid = isKnown ? isDomainSpec(value) && !modifiers.has(key) : key !== '' && MACRO_STRING.test(value);
  if (isValid) modifiers.set(key, value);
  return isValid;
}

const isDomainSpec = (text: string): boolean => MACRO_STRING.test(text) && DOMAIN_END.test(text);

function mechanismOf(term: string): Mechanism | undefined {
  const [, sign, name, rest = ''] = MECHANISM.exec(term) ?? [];
  if (name === undefined) return undefined;
  const kind = name.toLowerCase();
  const qualifier = sign === '-' || sign === '~' || sign === '?' ? sign : '+';
  const value = argumentOf(kind, rest);
  return value && { kind, qualifier, ...value };
}

/** @returns undefined if it is not valid */
function argumentOf(kind: string, rest: string): Pick<Mechanism, 'domain' | 'network'> | undefined {
  switch (kind) {
    case 'all':
      return rest === '' ? {} : undefined;
    case 'include':
    case 'exists':
      return rest.startsWith(':') ? domainOf(rest) : undefined;
    case 'ptr':
      return rest === '' ? {} : domainOf(rest);
    case 'ip4':
    case 'ip6':
      return networkOf(kind, rest);
    default:
      return hostsOf(rest);
  }
}

const domainOf = (rest: string) =>
  rest.startsWith(':') && isDomainSpec(rest.slice(1)) ? { domain: rest.slice(1) } : undefined;

/** `a` and `mx`, with an optional domain and optional lengths. */
function hostsOf(rest: string): Pick<Mechanism, 'domain'> | undefined {
  const [, domain = '', ipv4 = '0', ipv6 = '0'] = CIDR.exec(rest) ?? [];
  if (Number(ipv4) > 32 || Number(ipv6) > 128) return undefined;
  return domain === '' ? {} : domainOf(domain);
}

function networkOf(kind: 'ip4' | 'ip6', rest: string): Pick<Mechanism, 'network'> | undefined {
  const [, address = '', length] = /^:([^/]+)(?:\/(\d{1,3}))?$/.exec(rest) ?? [];
  const [isAddress, max] = kind === 'ip4' ? [isIPv4(address), 32] : [isIPv6(address), 128];
  return isAddress && Number(length ?? max) <= max ? { network: rest.slice(1) } : undefined;
}

/**
 * Returns the name that a domain with macros means (RFC 7208, 7), as far as it is the same for every message; undefined if
 * it depends on the sender or the client.
 * @param current the domain of the record
 * @param sender the domain of the sender
 */
export function expanded(domain: string, current: string, sender: string): string | undefined {
  const name = domain
    .replace(/%\{d\}/gi, current)
    .replace(/%\{o\}/gi, sender)
    .replaceAll('%%', '\0');
  return /%/.test(name) ? undefined : name.replaceAll('\0', '%').replace(/\.$/, '').toLowerCase();
}
