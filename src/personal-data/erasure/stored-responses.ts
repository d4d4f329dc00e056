import type { DataSubject } from './data-subject.js';
import { mentions } from './mentions.js';

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

/** A line end or a tab in a JSON text. Its letter is not part of the word that follows. */
export const ESCAPED_SPACE = /\\[nrt]/g;

const IMPORT_ID = /"import_id":(\d+)\b/;
