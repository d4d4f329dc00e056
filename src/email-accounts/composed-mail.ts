import type { WrittenMail } from '@outreach/mail-writing';

/** A composed email in parts, which every provider accepts. */
export interface ComposedMail extends WrittenMail {
  /** The contact whose fields a test shows to another person. */
  readonly shown_contact_id?: number | undefined;
}
