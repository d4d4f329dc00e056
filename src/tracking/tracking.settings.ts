import { type ConfigOf, InvalidSetting, parseItems, setting } from '@outreach/settings';
import { normalizeHost } from '@outreach/egress';

/** Host names or addresses, separated by commas. @throws InvalidSetting */
export const parseHosts = (text: string): readonly string[] =>
  parseItems(text).map((item) => {
    const host = normalizeHost(item);
    if (host !== undefined) return host;
    throw new InvalidSetting(
      `must be comma-separated host names such as links.example.com; ${JSON.stringify(item)} is not a host name`,
    );
  });

export const trackingSettings = {
  LINK_HOSTS: setting<readonly string[]>(
    'Comma-separated host names beside that of `PUBLIC_URL` at which the links of all workspaces work, such as that of an ' +
      'earlier `PUBLIC_URL`. At any other public host name, only the links of its owner work: tracking domains.',
    parseHosts,
    [],
    '',
  ),
};

/** The part of the configuration that this module declares. */
export type TrackingConfig = ConfigOf<typeof trackingSettings>;
