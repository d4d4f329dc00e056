import { is, timestamp, view } from '../../platform/http/index.js';
import type { CountedCompany } from './companies.queries.js';

export const companyView = view(
  'Company',
  {
    id: is.id,
    name: is.string,
    domain: is.nullable(is.string),
    website: is.nullable(is.string),
    industry: is.nullable(is.string),
    contacts_count: is.integer,
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (company: CountedCompany) => ({
    id: company.id,
    name: company.name,
    domain: company.domain,
    website: company.website,
    industry: company.industry,
    contacts_count: company.contacts_count,
    created_at: timestamp(company.created_at),
    updated_at: timestamp(company.updated_at),
  }),
);
