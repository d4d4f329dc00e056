import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { Signer } from '@outreach/keyring';
import { CheckedBy, type InputCheck } from '@outreach/http-api/validation';
import { BooleanQuery, type ListOptions, type ListPosition, ListQuery } from '../../tenancy/index.js';
import { positionIn, purposeOf } from './cursor-text.js';

const WRONG_CURSOR =
  'cursor must be empty, or the meta.next_cursor of a page of this list with the same sort, direction and filters';

/** Refuses a cursor that is not one of this list, and other parameters that say where the page begins beside it. */
export const checkCursor =
  (...others: readonly string[]): InputCheck<{ readonly cursor?: string }> =>
  (query, { context, isRefused }) => {
    const { cursor } = query;
    const errors: Record<string, string[]> = {};
    if (cursor === undefined || isRefused('cursor')) return errors;
    for (const other of others.filter((name) => context.parameters.has(name))) {
      errors[other] = [`${other} cannot be used together with cursor`];
    }
    const isValid = cursor === '' || context.inject(Signer).verify(purposeOf(context, query), cursor) !== undefined;
    if (!isValid) errors.cursor = [WRONG_CURSOR];
    return errors;
  };

/** Declares a list endpoint like `ListQuery`, whose pages can also be read one after the other with a cursor. */
export function CursorListQuery<const Sort extends string>(options: ListOptions<Sort>) {
  @CheckedBy(checkCursor('page'))
  class DeclaredCursorListQuery extends ListQuery(options) {
    @IsOptional() @IsString() cursor?: string;
    @BooleanQuery() @IsBoolean() total: boolean = true;

    override get position(): ListPosition | null | undefined {
      return this.cursor === undefined ? undefined : positionIn(this.cursor);
    }

    override get isCounted(): boolean {
      return this.total;
    }
  }
  return DeclaredCursorListQuery;
}
