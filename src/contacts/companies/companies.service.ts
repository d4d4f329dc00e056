import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import { WorkspaceLimits } from '../../platform/limits/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { contactsEvent } from '../contact.events.js';
import { countedCompanies, type CountedCompany, unlinkContacts } from './companies.queries.js';
import { Company } from './company.entity.js';
import type { CreateCompanyDto, UpdateCompanyDto } from './company.dto.js';

@Injectable()
export class CompaniesService {
  constructor(
    private readonly events: DomainEvents,
    private readonly limits: WorkspaceLimits,
  ) {}

  /** @throws LimitReached */
  create(scope: WorkspaceScope, dto: CreateCompanyDto): Promise<CountedCompany> {
    return scope.transaction(async (tx) => {
      const company = await tx.of(Company).insert(columns(dto));
      await this.limits.check(tx, 'companies', sql`SELECT 1 FROM companies WHERE workspace_id = ${tx}`);
      return { ...company, contacts_count: 0 };
    });
  }

  async update(scope: WorkspaceScope, company: Company, dto: UpdateCompanyDto): Promise<CountedCompany> {
    await scope.of(Company).update(company.id, columns(dto));
    return countedCompanies(scope).get(company.id);
  }

  /** @throws NotFound */
  delete(scope: WorkspaceScope, id: number): Promise<void> {
    return scope.withoutStatementLimit().transaction(async (tx) => {
      // Without the lock, another contact could be linked to the company after this unlinked the others.
      await tx.of(Company).lock(id);
      const unlinked = await unlinkContacts(tx, id);
      if (unlinked.length > 0) await this.events.publish(tx, 'contact.updated', contactsEvent(unlinked));
      await tx.of(Company).delete(id);
    });
  }
}

const columns = ({ name, domain, website, industry }: CreateCompanyDto | UpdateCompanyDto) => ({
  name,
  domain,
  website,
  industry,
});
