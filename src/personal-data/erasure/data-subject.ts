import { type Contact, IDENTIFYING_COLUMNS, NAME_FIELDS } from '../../contacts/index.js';

/** The person who is erased: what identifies the person in texts. */
export interface DataSubject {
  readonly contact_id: number;
  readonly email: string;
  /** Earlier addresses; absent in erasures of earlier versions. */
  readonly former_emails?: readonly string[];
  /** Texts that tell of the person wherever they occur, in lower case: the addresses and the other identifying fields. */
  readonly texts: readonly string[];
  /** First and last name in lower case: a text that has both tells of the person. Empty if one of them is missing. */
  readonly names: readonly string[];
  /** Values of custom fields that may identify the person, by key, such as a customer number. Absent in erasures of
   *  earlier versions. */
  readonly custom_identifiers?: Readonly<Record<string, string>>;
}

/** A shorter value, such as an extension, is part of too many other texts. */
const MIN_LENGTH = 6;
const MIN_NAME_LENGTH = 2;

export function dataSubjectOf(contact: Contact, formerEmails: readonly string[] = []): DataSubject {
  const { email } = contact;
  const others = IDENTIFYING_COLUMNS.filter((name) => name !== 'email').map((name) => lowerCase(contact[name]));
  return {
    contact_id: contact.id,
    email,
    former_emails: formerEmails,
    texts: [email, ...formerEmails, ...others.filter((text) => text.length >= MIN_LENGTH)],
    names: namesOf(contact),
    custom_identifiers: customIdentifiersOf(contact),
  };
}

/** All addresses of the person, the last one first. */
export const emailsOf = ({ email, former_emails: former = [] }: DataSubject): string[] => [email, ...former];

/** Returns first and last name in lower case, or nothing if one of them is missing. */
export function namesOf(contact: Pick<Contact, (typeof NAME_FIELDS)[number]>): string[] {
  const names = NAME_FIELDS.map((name) => lowerCase(contact[name]));
  return names.every((name) => name.length >= MIN_NAME_LENGTH) ? names : [];
}

/** Texts of at least six characters with a digit: other values are mostly categories. */
const customIdentifiersOf = ({ custom_fields: values }: Contact): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && entry[1].length >= MIN_LENGTH && /\d/.test(entry[1]),
    ),
  );

const lowerCase = (text: string | null): string => (text ?? '').trim().toLowerCase();
