import { ListQuery } from '../../../platform/tenancy/index.js';

export class CompanyListQuery extends ListQuery({ sort: ['created_at', 'updated_at', 'name'], search: ['name'] }) {}
