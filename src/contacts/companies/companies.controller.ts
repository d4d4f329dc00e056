import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { IdParam } from '@outreach/http-api/requests';
import { Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { countedCompanies } from './companies.queries.js';
import { CompaniesService } from './companies.service.js';
import { Company } from './company.entity.js';
import { companyView } from './company.view.js';
import { CompanyListQuery, CreateCompanyDto, UpdateCompanyDto } from './company.dto.js';

@Controller('v1/companies')
export class CompaniesController {
  constructor(private readonly companies: CompaniesService) {}

  /** The companies of the workspace. */
  @Get()
  @RequirePermission('contacts:read')
  @RespondsPage(companyView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: CompanyListQuery) {
    return countedCompanies(scope).page(query);
  }

  /** Creates a company, which contacts can be linked to by `company_id`. */
  @Post()
  @RequirePermission('contacts:write')
  @Responds(companyView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateCompanyDto) {
    return this.companies.create(scope, dto);
  }

  /** One company with the number of its contacts. */
  @Get(':id')
  @RequirePermission('contacts:read')
  @Responds(companyView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return countedCompanies(scope).get(id);
  }

  /** Changes the fields that the body names. */
  @Put(':id')
  @RequirePermission('contacts:write')
  @LoadRecord(Company)
  @Responds(companyView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() company: Company, @Body() dto: UpdateCompanyDto) {
    return this.companies.update(scope, company, dto);
  }

  /** Deletes the company. Its contacts stay, without the link. */
  @Delete(':id')
  @RequirePermission('contacts:write')
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.companies.delete(scope, id);
  }
}
