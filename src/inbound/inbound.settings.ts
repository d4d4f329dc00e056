import { type ConfigOf, parseInteger, setting } from '@outreach/settings';

export const inboundSettings = {
  MAILBOX_POLL_SECONDS: setting('How often the mailbox of an email account is read.', parseInteger(1, 86_400), 60),
};

/** The part of the configuration that this module declares. */
export type InboundConfig = ConfigOf<typeof inboundSettings>;
