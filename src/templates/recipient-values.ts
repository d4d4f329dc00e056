import { contactVariables, type ContactVariablesRow } from '../contacts/index.js';
import type { TemplateValues } from './rendering/index.js';

/** What a message brings along for its template, beside its recipient. */
export interface MessageValues {
  readonly sender: { readonly name: string; readonly email: string };
  readonly unsubscribe_url: string;
}

/** What fills a template for one contact, in a message that is sent and in a preview alike. */
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
