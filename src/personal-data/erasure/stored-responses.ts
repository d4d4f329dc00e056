import { domainToUnicode } from 'node:url';
import { mentions } from '@outreach/personal-mentions';
import { type DataSubject, emailsOf } from './data-subject.js';

/** What tells of a person in stored responses beside the texts that identify the person. */
export interface AboutResponses {
  readonly subject: DataSubject;
  /** Imports with a refused row about the person: their responses show cells of it. */
  readonly import_ids: ReadonlySet<number>;
}

/**
 * Whether the stored response to a POST tells of the person: it has a text that identifies the person, is the record of the
 * contact, one that refers to it, or that of an import with a refused row about the person.
 */
export function isResponseAbout(
  { subject, import_ids: importIds }: AboutResponses,
  text: string,
  path: string,
): boolean {
  const { contact_id: id } = subject;
  if (path === `/v1/contacts/${id}` || path.startsWith(`/v1/contacts/${id}/`)) return true;
  if (mentions(subject, text.replace(ESCAPED_SPACE, ' '))) return true;
  if (new RegExp(`"contact_id":${id}\\b`).test(text)) return true;
  if (importIds.has(Number(IMPORT_ID.exec(text)?.[1]))) return true;
  return path === '/v1/contacts' && text.startsWith(`{"id":${id},`);
}

/**
 * Whether an `Idempotency-Key` tells of the person. Clients build keys of what they have, without a rule where a part of
 * them ends, so an address counts wherever it is; losing the key of a longer address only loses a response that could be
 * replayed.
 */
export function isKeyAbout(subject: DataSubject, text: string): boolean {
  const lower = text.toLowerCase();
  return (
    emailsOf(subject)
      .flatMap(formsOf)
      .some((address) => lower.includes(address)) || mentions(subject, text)
  );
}

/** An address as it is stored, and with the domain in Unicode, which is empty for a domain that has no such form. */
function formsOf(email: string): string[] {
  const at = email.lastIndexOf('@') + 1;
  const domain = domainToUnicode(email.slice(at));
  return domain === '' ? [email] : [email, email.slice(0, at) + domain];
}

/** A line end or a tab in a JSON text. Its letter is not part of the word that follows. */
export const ESCAPED_SPACE = /\\[nrt]/g;

const IMPORT_ID = /"import_id":(\d+)\b/;
