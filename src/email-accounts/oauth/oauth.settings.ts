import { isIP } from 'node:net';
import { type ConfigOf, InvalidSetting, parseUrl, secret, setting } from '@outreach/settings';
import type { MailHost, MailHosts } from '../providers/provider.js';

/** The mail servers for SMTP and IMAP, as `host:port,host:port`. @throws InvalidSetting */
export function parseMailHosts(text: string): MailHosts {
  const [smtp, imap, ...rest] = text.split(',').map((item) => parseMailHost(item.trim()));
  if (!smtp || !imap || rest.length > 0) {
    throw new InvalidSetting('must be two mail servers like smtp.example.com:465,imap.example.com:993');
  }
  return { smtp, imap };
}

/** @returns undefined if the text is not a host name or an IP address (IPv6 in brackets) with a port */
function parseMailHost(text: string): MailHost | undefined {
  const [, ipv6, name, digits] = /^(?:\[([^\]]+)\]|([^:\s[\]/@]+)):(\d{1,5})$/.exec(text) ?? [];
  const [host, port] = [ipv6 ?? name, Number(digits)];
  const isHost = ipv6 === undefined ? HOST_NAME.test(name ?? '') : isIP(ipv6) === 6;
  return host !== undefined && isHost && port >= 1 && port <= 65_535 ? { host, port } : undefined;
}

/** RFC 1123, 2.1; IPv4 addresses, too. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Origins (RFC 6454) such as `https://app.example.com`, separated by commas. @throws InvalidSetting */
export function parseOrigins(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter(Boolean).map((item) => {
    const url = URL.canParse(item) ? new URL(item) : undefined;
    if (url && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`) return url.origin;
    throw new InvalidSetting(
      `must be comma-separated origins like https://app.example.com; ${JSON.stringify(item)} is not an origin`,
    );
  });
}

const text = (value: string): string => value;
const parseIssuer = parseUrl(['http:', 'https:']);
const mailHosts = (provider: string, value: string, encryption: string) =>
  setting<MailHosts>(
    `Mail servers of ${provider}, for SMTP (${encryption}) and for IMAP (TLS), as \`host:port,host:port\`.`,
    parseMailHosts,
    parseMailHosts(value),
    value,
  );

export const oauthSettings = {
  GOOGLE_CLIENT_ID: setting<string | undefined>(
    'Client ID of the application at Google that connects Gmail accounts. Without it and its secret, none can be connected.',
    text,
    undefined,
    '',
  ),
  GOOGLE_CLIENT_SECRET: secret(
    setting<string | undefined>('Client secret of the application at Google.', text, undefined, ''),
  ),
  MICROSOFT_CLIENT_ID: setting<string | undefined>(
    'Application (client) ID at Microsoft Entra that connects Microsoft 365 accounts. Without it and its secret, none can ' +
      'be connected.',
    text,
    undefined,
    '',
  ),
  MICROSOFT_CLIENT_SECRET: secret(
    setting<string | undefined>('Client secret of the application at Microsoft Entra.', text, undefined, ''),
  ),
  GOOGLE_ISSUER: setting(
    "Google's OpenID issuer: its endpoints are read from `{issuer}/.well-known/openid-configuration`.",
    parseIssuer,
    'https://accounts.google.com',
  ),
  MICROSOFT_ISSUER: setting(
    "Microsoft's OpenID issuer. `common` takes work, school and personal accounts; a tenant ID in its place takes those of " +
      'that organization only.',
    parseIssuer,
    'https://login.microsoftonline.com/common/v2.0',
  ),
  GOOGLE_MAIL_HOSTS: mailHosts('Google', 'smtp.gmail.com:465,imap.gmail.com:993', 'TLS'),
  MICROSOFT_MAIL_HOSTS: mailHosts('Microsoft', 'smtp.office365.com:587,outlook.office365.com:993', 'STARTTLS'),
  OAUTH_REDIRECT_ORIGINS: setting(
    'Comma-separated origins of applications to which a browser returns when a mailbox is connected, e.g. ' +
      '`https://app.example.com`. The origin of `PUBLIC_URL` is always one of them.',
    parseOrigins,
    [],
    '',
  ),
};

/** The part of the configuration that connecting mailboxes by OAuth declares. */
export type OauthConfig = ConfigOf<typeof oauthSettings>;
