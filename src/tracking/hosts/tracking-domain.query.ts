import { TextField } from '@outreach/http-api/fields';

/** A host name of 253 characters, with a dot at its end. */
const MAX_LENGTH = 254;

export class TrackingDomainQuery {
  /** The host name for which a certificate is needed. */
  @TextField(MAX_LENGTH) domain!: string;
}
