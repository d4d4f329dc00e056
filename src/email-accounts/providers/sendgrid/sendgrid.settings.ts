import { type ConfigOf, parseUrl, setting } from '@outreach/settings';

export const sendgridSettings = {
  SENDGRID_BASE_URL: setting(
    "SendGrid's API, for EU residency.",
    parseUrl(['http:', 'https:']),
    'https://api.sendgrid.com',
  ),
};

export type SendgridConfig = ConfigOf<typeof sendgridSettings>;
