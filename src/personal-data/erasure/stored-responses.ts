import { type DataSubject, mentions } from './data-subject.js';

/**
 * Whether the stored response to a POST tells of the person: it has a text that identifies the person, is the record of the
 * contact, or one that refers to it.
 */
export function isResponseAbout(subject: DataSubject, text: string, path: string): boolean {
  const { contact_id: id } = subject;
  if (path === `/v1/contacts/${id}` || path.startsWith(`/v1/contacts/${id}/`)) return true;
  if (mentions(subject, text)) return true;
  if (new RegExp(`"contact_id":${id}\\b`).test(text)) return true;
  return path === '/v1/contacts' && text.startsWith(`{"id":${id},`);
}
