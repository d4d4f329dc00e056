import { is, view } from '../platform/http/responses/index.js';

/** The addresses to which reports about the messages of a workspace are sent. */
export interface InboundAddresses {
  readonly key: string;
  readonly sendgrid_url: string;
  readonly mail_url: string;
}

export const inboundView = view(
  'InboundAddresses',
  {
    /** The secret part of both addresses. */
    key: is.string,
    /** Enter it at SendGrid as the URL of the signed event webhook. */
    sendgrid_url: is.string,
    /**
     * Where a mail server or a forwarding rule posts raw messages: bounces, complaints and replies. SendGrid's Inbound
     * Parse posts to the same address with `/inbound/parse/` instead of `/inbound/mail/`.
     */
    mail_url: is.string,
  },
  ({ key, sendgrid_url, mail_url }: InboundAddresses) => ({ key, sendgrid_url, mail_url }),
);

/** The number of received reports that matched a message of the workspace. */
export const receipt = is.shape('ReportReceipt', {
  /** How many messages of the workspace the report is about. 0 means that it was stored and has no effect. */
  matched: is.integer,
});

export interface Receipt {
  readonly matched: number;
}
