import { is, view } from '@outreach/http-api/responses';

/** A host name with which links of messages begin. */
export interface VerifiedDomain {
  readonly domain: string;
}

export const trackingDomainView = view('TrackingDomain', {
  /** The host name in lower case, with A-labels (RFC 5890). */
  domain: is.string,
});
