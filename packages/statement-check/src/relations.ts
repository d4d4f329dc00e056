import type { CheckedStatement } from './checked-statement.js';
import type { Equality } from './equalities.js';
import type { SqlNode } from './nodes.js';

/** A table, sub-select or function in `FROM`, or the target of `INSERT`, `UPDATE` or `DELETE`. */
export interface Relation {
  readonly name: string;
  readonly alias: string;
  /** Whether it is a table with rows of tenants. */
  readonly isTenant: boolean;
  /** Whether it follows the mark of a query over all tenants. */
  readonly isExempt: boolean;
  /** Whether its column of the tenant is known to be the scope's. */
  isScoped: boolean;
}

/** The relations of one query; `outer` has those of the query around it. */
export class Level {
  readonly relations: Relation[] = [];

  constructor(
    private readonly checked: Pick<CheckedStatement, 'scope' | 'tenantColumn'>,
    private readonly outer?: Level,
  ) {}

  /** The tenants' tables whose column of the tenant is not compared with the scope. */
  get unscoped(): Relation[] {
    return this.relations.filter(({ isTenant, isExempt, isScoped }) => isTenant && !isExempt && !isScoped);
  }

  /** Whether the value is known to be the tenant of the scope. */
  isKnown(value: SqlNode | undefined): boolean {
    if (value?.type === 'parameter') return this.checked.scope.includes(value.position);
    const meant = this.relationsOf(value);
    return meant.length > 0 && meant.every(({ isScoped }) => isScoped);
  }

  /** Marks each relation of this level as scoped that equalities connect with the scope. */
  compare(equalities: readonly Equality[]): void {
    const fresh = equalities.flatMap(({ left, right, restricts }) => {
      const reached = [
        ...(this.isKnown(left) ? this.ownRelationsOf(right) : []),
        ...(this.isKnown(right) ? this.ownRelationsOf(left) : []),
      ];
      return reached.filter((relation) => !relation.isScoped && (!restricts || restricts.includes(relation)));
    });
    for (const relation of fresh) relation.isScoped = true;
    if (fresh.length > 0) this.compare(equalities);
  }

  /**
   * Only relations of this level, because a condition in a sub-select does not restrict the rows of the query around
   * it.
   */
  private ownRelationsOf(value: SqlNode): Relation[] {
    return this.relationsOf(value).filter((relation) => this.relations.includes(relation));
  }

  /**
   * The relations whose column of the tenant the value may be: the one with its alias, or without an alias all of a level.
   */
  private relationsOf(value: SqlNode | undefined): readonly Relation[] {
    if (value?.type !== 'name' || value.parts.at(-1) !== this.checked.tenantColumn) return [];
    const alias = value.parts.at(-2);
    const named = this.relations.filter((relation) => alias === undefined || relation.alias === alias);
    const tenants = named.filter(({ isTenant }) => isTenant);
    if (named.length === 0) return this.outer?.relationsOf(value) ?? [];
    return tenants.length > 0 ? tenants : named;
  }
}
