import type { Contact } from '../../contacts/index.js';

/** The person who is erased: what identifies the person in texts. */
export interface DataSubject {
  readonly contact_id: number;
  readonly email: string;
  /** Texts that tell of the person wherever they occur, in lower case: the address, the telephone number, the profile,
   *  the ID of another system. */
  readonly texts: readonly string[];
  /** First and last name in lower case: a text that has both tells of the person. Empty if one of them is missing. */
  readonly names: readonly string[];
}

/** A shorter value, such as an extension, is part of too many other texts. */
const MIN_LENGTH = 6;
const MIN_NAME_LENGTH = 2;

/** Returns what identifies a contact in texts. */
export function dataSubjectOf(contact: Contact): DataSubject {
  const { email, phone, linkedin_url, external_id } = contact;
  const texts = [email, phone, linkedin_url, external_id].map((text) => (text ?? '').trim().toLowerCase());
  const names = [contact.first_name, contact.last_name].map((name) => (name ?? '').trim().toLowerCase());
  return {
    contact_id: contact.id,
    email,
    texts: texts.filter((text, index) => index === 0 || text.length >= MIN_LENGTH),
    names: names.every((name) => name.length >= MIN_NAME_LENGTH) ? names : [],
  };
}

/** Whether a text tells of the person. */
export function mentions({ texts, names }: DataSubject, text: string): boolean {
  const lower = text.toLowerCase();
  return (
    texts.some((part) => lower.includes(part)) || (names.length > 0 && names.every((name) => hasWord(lower, name)))
  );
}

/** Whether a text has a name that is not part of a longer word. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!LETTER.test(text.charAt(at - 1)) && !LETTER.test(text.charAt(at + word.length))) return true;
  }
  return false;
}

const LETTER = /\p{L}/u;
