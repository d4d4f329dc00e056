import type { Contact } from './contact.entity.js';

/** The names that are there, joined by a space, or null (API v1, "Contact"). */
export const fullName = ({ first_name, last_name }: Pick<Contact, 'first_name' | 'last_name'>): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || null;
