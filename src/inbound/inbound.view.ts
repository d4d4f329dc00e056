import { is, view } from '../platform/http/index.js';

/** Where a workspace is told what became of its messages. */
export interface InboundAddresses {
  readonly key: string;
  readonly sendgrid_url: string;
  readonly mail_url: string;
}

export const inboundView = view(
  'Inbound',
  { key: is.string, sendgrid_url: is.string, mail_url: is.string },
  ({ key, sendgrid_url, mail_url }: InboundAddresses) => ({ key, sendgrid_url, mail_url }),
);

/** How many of the things that came were about messages of the workspace. */
export const receipt = is.shape({ matched: is.integer });

export interface Receipt {
  readonly matched: number;
}
