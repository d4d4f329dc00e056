import { type ConfigOf, parseInteger, setting } from '@outreach/settings';

export const personalDataSettings = {
  HISTORY_RETENTION_DAYS: setting<number | undefined>(
    'Days after which opens, clicks, replies and changes of contacts are deleted, and the messages of enrollments that have ' +
      'ended; the numbers of campaigns stay (docs/privacy.md). Without it, all of them are stored until their contact or ' +
      'campaign is deleted.',
    parseInteger(1, 36_500),
    undefined,
    '',
  ),
};

/** The part of the configuration that this module declares. */
export type PersonalDataConfig = ConfigOf<typeof personalDataSettings>;
