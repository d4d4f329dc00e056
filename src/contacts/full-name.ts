import type { Contact } from './contact.entity.js';

/** The first and last name, as far as present, joined by a space; null if both are missing (API v1, "Contact"). */
export const fullName = ({ first_name, last_name }: Pick<Contact, 'first_name' | 'last_name'>): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || null;
