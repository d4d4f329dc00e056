import { is, view } from '@outreach/http-api/responses';
import { EVENT_PROVIDERS, RECEIVED_FORMS } from '../email-accounts/index.js';

/** The addresses to which reports about the messages of a workspace are sent. */
export interface InboundAddresses {
  readonly key: string;
  /** For the events of providers, by the type of their accounts. */
  readonly events: Readonly<Record<string, string>>;
  readonly mail_url: string;
}

const eventUrls = EVENT_PROVIDERS.map(({ type, name, events }) => ({
  type,
  field: `${type}_url`,
  schema: { ...is.string, description: `Enter it at ${name} as the URL of the ${events.name}.` },
}));

const forms = RECEIVED_FORMS.map(
  ({ provider, name, path }) =>
    ` ${provider}'s ${name} posts to the same address with \`/inbound/${path}/\` instead of \`/inbound/mail/\`.`,
);

export const inboundView = view(
  'InboundAddresses',
  {
    /** The secret part of both addresses. */
    key: is.string,
    ...Object.fromEntries(eventUrls.map(({ field, schema }) => [field, schema])),
    mail_url: {
      ...is.string,
      description:
        'Where a mail server or a forwarding rule posts raw messages: bounces, complaints and replies.' +
        forms.join(''),
    },
  },
  ({ key, events, mail_url }: InboundAddresses) => ({
    key,
    ...Object.fromEntries(eventUrls.map(({ type, field }) => [field, events[type]])),
    mail_url,
  }),
);

/** The number of received reports that matched a message of the workspace. */
export const receipt = is.shape('ReportReceipt', {
  /** How many messages of the workspace the report is about. 0 means that it was stored and has no effect. */
  matched: is.integer,
});

export interface Receipt {
  readonly matched: number;
}
