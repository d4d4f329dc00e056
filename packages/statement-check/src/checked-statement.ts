/** A statement to check. */
export interface CheckedStatement {
  readonly text: string;
  /** The numbers of the parameters whose value is the tenant of the scope. */
  readonly scope: readonly number[];
  /** The tables with rows of tenants. */
  readonly tenantTables: ReadonlySet<string>;
  /** The column of these tables that names the tenant, e.g. `tenant_id`. */
  readonly tenantColumn: string;
}
