import { sql } from '../../platform/database/index.js';
import type { ScopedRepository, WorkspaceScope } from '../../platform/tenancy/index.js';
import { Company } from './company.entity.js';

export type CountedCompany = Company & CompanyContactsCount;

export interface CompanyContactsCount {
  readonly contacts_count: number;
}

/** The repository of companies, with the number of contacts of each. */
export const countedCompanies = (scope: WorkspaceScope): ScopedRepository<Company, CompanyContactsCount> =>
  scope.of(Company).withColumns<CompanyContactsCount>(
    sql`, (SELECT count(*) FROM contacts contact
           WHERE contact.workspace_id = ${scope} AND contact.company_id = record.id) AS contacts_count`,
  );

/**
 * Unlinks all contacts from a company. Their own `company` text stays.
 * @returns the IDs of the contacts
 */
export async function unlinkContacts(scope: WorkspaceScope, companyId: number): Promise<number[]> {
  return scope.queryIds(
    sql`UPDATE contacts SET company_id = NULL, updated_at = ${scope.now}
        WHERE workspace_id = ${scope} AND company_id = ${companyId} RETURNING id`,
  );
}
