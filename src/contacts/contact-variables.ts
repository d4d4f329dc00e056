import { timestamp } from '../platform/http/index.js';
import type { Contact } from './contact.entity.js';
import { fullName } from './full-name.js';

type Dates = 'subscribed_at' | 'unsubscribed_at' | 'created_at' | 'updated_at';

/** A contact's columns, from a row or from JSON that the database made of one: there its dates are text. */
export type ContactVariablesRow = Readonly<
  Omit<Contact, 'workspace_id' | 'search_text' | Dates> & { [K in Dates]: Contact[K] | string }
>;

/** What fills a template's variables: name → value. Look names up as own keys only. */
export type ContactVariables = Readonly<Record<string, string | number | boolean | null>>;

/**
 * A contact's template variables: every single-valued field of the record as the API shows it, and its custom fields
 * beside them. A custom field never takes the place of a field of the record, be that empty (API v1, "Template").
 */
export function contactVariables(row: ContactVariablesRow): ContactVariables {
  // Assigned, because a literal that begins with a spread takes ten times as long, and each message needs one.
  return Object.assign({}, row.custom_fields, {
    id: row.id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    full_name: fullName(row),
    company: row.company,
    company_id: row.company_id,
    phone: row.phone,
    job_title: row.job_title,
    linkedin_url: row.linkedin_url,
    lifecycle_stage: row.lifecycle_stage,
    status: row.status,
    subscribed_at: timestamp(row.subscribed_at),
    unsubscribed_at: timestamp(row.unsubscribed_at),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  });
}
