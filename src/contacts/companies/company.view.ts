import { is, view } from '@outreach/http-api/responses';

export const companyView = view('Company', {
  id: is.id,
  /** The name. At most 255 characters. Two companies can have the same name. */
  name: is.string,
  /** The company's host name, such as `acme.example`; null if unknown. At most 253 characters. */
  domain: is.nullable(is.string),
  /** The address of the website, with `http://` or `https://`; null if unknown. At most 500 characters. */
  website: is.nullable(is.string),
  /** The industry, in your own words; null if unknown. At most 255 characters. */
  industry: is.nullable(is.string),
  /** How many contacts are linked to the company. */
  contacts_count: is.integer,
  created_at: is.timestamp,
  updated_at: is.timestamp,
});
