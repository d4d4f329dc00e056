import { contactVariables, type ContactVariablesRow } from '../contacts/index.js';
import { BRAND_VARIABLES, type BrandValues } from './brand.js';
import { SENDER_ADDRESS, type TemplateValues } from './template-values.js';

/** The template variables that depend on the message, not on its recipient. */
export interface MessageValues {
  readonly sender: { readonly name: string; readonly email: string };
  readonly unsubscribe_url: string;
  /** The postal address of the workspace, or the empty string if it has none. */
  readonly sender_address: string;
  /** The brand of the workspace. */
  readonly brand: BrandValues;
}

/** The names of these variables. */
export const MESSAGE_VARIABLES: readonly string[] = [
  'sender.name',
  'sender.email',
  'unsubscribe_url',
  SENDER_ADDRESS,
  ...BRAND_VARIABLES,
];

/** Returns the template variables of one contact, for sent messages and for previews. */
export function recipientValues(
  contact: ContactVariablesRow,
  { sender, unsubscribe_url, sender_address, brand }: MessageValues,
): TemplateValues {
  return Object.assign({}, contactVariables(contact), {
    custom_fields: contact.custom_fields,
    sender,
    unsubscribe_url,
    sender_address,
    brand,
  });
}
