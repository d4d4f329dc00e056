import { CONTACT_FIELDS, type ContactField, type ImportField } from '../contact-fields.js';
import type { ContactStatus } from '../contact.entity.js';
import { foldedName } from '@outreach/csv-files';

/** Words of other services for a status, folded. */
const STATUS_WORDS: ReadonlyMap<string, ContactStatus> = new Map([
  ['optedout', 'unsubscribed'],
  ['optout', 'unsubscribed'],
  ['donotcontact', 'unsubscribed'],
  ['donotemail', 'unsubscribed'],
]);

const OPT_OUT_COLUMN =
  /^(is|has|email|portal|global)?(unsubscribed?|opt(ed)?out|donot(contact|e?mail))((of|from)(all)?e?mails?)?$/;
const YES = new Set(['true', 'yes', 'y', '1', 'x']);
const NO = new Set(['false', 'no', 'n', '0']);

/** Whether the cells of a column say by yes or no who has opted out, such as `Unsubscribed from all email` or `Email Opt Out`. */
export const isOptOutColumn = (name: string): boolean => OPT_OUT_COLUMN.test(foldedName(name));

/**
 * Returns the value of a field that the cell of a column means: in any case, with spaces, hyphens or underscores. A status may
 * have words of other services, too; yes and no mean one only in a column of opt-outs, where no is as empty as no status. Other
 * cells are returned as they are, and validation refuses them.
 */
export function enumValueOf(field: ImportField, cell: string, column: string): string {
  const word = foldedName(cell);
  if (field === 'status' && isOptOutColumn(column)) {
    if (YES.has(word)) return 'unsubscribed';
    if (NO.has(word)) return '';
  }
  const declared: ContactField = CONTACT_FIELDS[field];
  const value = declared.values?.find((each) => foldedName(each) === word);
  return value ?? (field === 'status' ? STATUS_WORDS.get(word) : undefined) ?? cell;
}
