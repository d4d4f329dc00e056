export function entitiesIn(code: string): Map<string, string>;
export function withoutComments(code: string): string;
export function accessesIn(
  code: string,
  tableOfEntity: ReadonlyMap<string, string>,
): Generator<[table: string, kind: 'reads' | 'writes']>;
