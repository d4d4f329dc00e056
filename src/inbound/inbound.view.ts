import { is, view } from '../platform/http/index.js';

/** The addresses to which reports about the messages of a workspace are sent. */
export interface InboundAddresses {
  readonly key: string;
  readonly sendgrid_url: string;
  readonly mail_url: string;
}

export const inboundView = view(
  'InboundAddresses',
  { key: is.string, sendgrid_url: is.string, mail_url: is.string },
  ({ key, sendgrid_url, mail_url }: InboundAddresses) => ({ key, sendgrid_url, mail_url }),
);

/** The number of received reports that matched a message of the workspace. */
export const receipt = is.shape('ReportReceipt', { matched: is.integer });

export interface Receipt {
  readonly matched: number;
}
