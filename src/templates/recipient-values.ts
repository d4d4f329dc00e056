import { contactVariables, type ContactVariablesRow } from '../contacts/index.js';
import type { TemplateValues } from './rendering/index.js';

/** The template variables that depend on the message, not on its recipient. */
export interface MessageValues {
  readonly sender: { readonly name: string; readonly email: string };
  readonly unsubscribe_url: string;
}

/** Returns the template variables of one contact, for sent messages and for previews. */
export function recipientValues(
  contact: ContactVariablesRow,
  { sender, unsubscribe_url }: MessageValues,
): TemplateValues {
  return Object.assign({}, contactVariables(contact), {
    custom_fields: contact.custom_fields,
    sender,
    unsubscribe_url,
  });
}
