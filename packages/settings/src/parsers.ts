import { isIP } from 'node:net';
import { parseDatabaseAddress, WrongDatabaseAddress } from '@outreach/postgres-connections';
import ipaddr from 'ipaddr.js';

/** Thrown by parsers for a wrong value. The message continues a sentence that begins with the setting's name. */
export class InvalidSetting extends Error {}

/** Any text. */
export const parseText = (text: string): string => text;

/** Texts, separated by commas. */
export const parseItems = (text: string): readonly string[] => items(text);

/** An integer from `min` to `max`. The parser throws InvalidSetting. */
export const parseInteger =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) throw new InvalidSetting(`must be a whole number from ${min} to ${max}`);
    return value;
  };

/** One of the listed values. The parser throws InvalidSetting. */
export const parseOneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T => {
    const found = values.find((value) => value === text);
    if (!found) throw new InvalidSetting(`must be one of ${values.join(', ')}`);
    return found;
  };

/**
 * A URL with a host and one of the protocols, such as `https:`; slashes at its end are removed. The parser throws
 * InvalidSetting.
 */
export const parseUrl =
  (protocols: readonly string[]) =>
  (text: string): string => {
    // The URL standard accepts `https:example.com`, which most programs do not.
    const url = /^[a-z]+:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !protocols.includes(url.protocol) || !url.hostname) {
      throw new InvalidSetting(`must be a URL that starts with ${protocols.map((name) => `${name}//`).join(' or ')}`);
    }
    return text.replace(/\/+$/, '');
  };

/**
 * The beginning of links: a URL with `http:` or `https:`, without user name, password, query and fragment.
 * @throws InvalidSetting
 */
export function parsePublicUrl(text: string): string {
  const url = parseUrl(['http:', 'https:'])(text);
  if (/[?#]|^[^/]*\/\/[^/]*@/.test(url)) {
    throw new InvalidSetting('must be a URL without user name, password, query and fragment: links start with it');
  }
  return url;
}

/** A connection string of PostgreSQL, see `parseDatabaseAddress`; slashes at its end are removed. @throws InvalidSetting */
export function parseDatabaseUrl(text: string): string {
  try {
    parseDatabaseAddress(text);
  } catch (error) {
    throw error instanceof WrongDatabaseAddress ? new InvalidSetting(error.message) : error;
  }
  return text.replace(/\/+$/, '');
}

/**
 * Keys that encrypt stored secrets.
 * @throws InvalidSetting if one is shorter than 16 characters, which can be guessed
 */
export function parseKeys(text: string): readonly string[] {
  const keys = items(text);
  if (keys.length === 0 || keys.some((key) => key.length < 16)) {
    throw new InvalidSetting('must be comma-separated keys of at least 16 characters');
  }
  return keys;
}

/** Networks, separated by commas. An address becomes a network of that address. @throws InvalidSetting */
export function parseCidrs(text: string): readonly string[] {
  for (const cidr of items(text)) {
    if (!isNetwork(cidr)) {
      throw new InvalidSetting(
        `must be comma-separated networks such as 10.0.0.0/8; ${JSON.stringify(cidr)} is not a network`,
      );
    }
  }
  return items(text).map((cidr) => {
    if (cidr.includes('/')) return cidr;
    return `${cidr}/${ipaddr.parse(cidr).kind() === 'ipv4' ? 32 : 128}`;
  });
}

/** `10` or `1` would be IPv4 addresses of an old notation, such as 0.0.0.10. */
function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/');
  if (!address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address)) return false;
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

const NAME_SERVER = /^(?:\[(?<ipv6>[^\]]+)\]|(?<ipv4>[\d.]+))(?::(?<port>\d{1,5}))?$/;

/** Name servers as `address[:port]`, separated by commas, with IPv6 addresses in brackets. @throws InvalidSetting */
export function parseNameServers(text: string): readonly string[] {
  for (const item of items(text)) {
    if (!isNameServer(item)) {
      throw new InvalidSetting(
        `must be comma-separated name servers such as 192.0.2.53 or [2001:db8::53]:5353; ${JSON.stringify(item)} is none`,
      );
    }
  }
  return items(text);
}

function isNameServer(text: string): boolean {
  if (isIP(text) !== 0) return !text.includes('%');
  const { ipv4 = '', ipv6 = '', port = '53' } = NAME_SERVER.exec(text)?.groups ?? {};
  const isAddress = isIP(ipv4) === 4 || (isIP(ipv6) === 6 && !ipv6.includes('%'));
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}

/** Seconds, separated by commas; none for the text `none`. @throws InvalidSetting */
export function parseDurations(text: string): readonly number[] {
  if (text === 'none') return [];
  const seconds = items(text).map((item) => (/^\d{1,9}(\.\d{1,3})?$/.test(item) ? Number(item) : NaN));
  if (seconds.length === 0 || seconds.some(Number.isNaN)) {
    throw new InvalidSetting('must be comma-separated seconds, or none');
  }
  return seconds;
}

const items = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
