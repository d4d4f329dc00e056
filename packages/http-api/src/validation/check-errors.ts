import { isObject } from '@outreach/untrusted-json';
import { type FieldErrors, PermissionMissing, ValidationFailed } from '@outreach/http-errors';
import type { InputContext, RecordClass, RecordLookup } from './input-context.js';
import { declaredChecks, type InputCheck } from './input-checks.js';
import { declaredFields, type InputClass, nestedInputs } from '../fields/index.js';

/** An ID of a body or a query string. */
interface Reference {
  readonly path: string;
  readonly id: number;
}

/** All that is to be checked in an input and in the inputs inside it. */
interface Checks {
  readonly references: Map<RecordClass, Reference[]>;
  readonly run: (() => FieldErrors | Promise<FieldErrors>)[];
}

/** An input of a class, with its path in the body: empty, or with a dot at the end. */
interface PlacedInput {
  readonly input: InputClass;
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: string;
}

/**
 * Returns the errors that `@RefersTo` and `@CheckedBy` find. One statement for each entity finds its records.
 * @param value the valid part of an input, see {@link removeRefused}
 * @param refused the paths that validation has refused
 * @throws PermissionMissing if the caller may not name a record
 */
export async function checkErrors(
  input: InputClass,
  value: object,
  refused: readonly string[],
  context: InputContext,
): Promise<FieldErrors> {
  const checks: Checks = { references: new Map(), run: [] };
  collect({ input, value: value as PlacedInput['value'], path: '' }, refused, context, checks);
  const errors: FieldErrors[] = [];
  for (const [entity, found] of checks.references) {
    const ids = found.map(({ id }) => id);
    errors.push(await context.lookup.missingRecordErrors(entity, ids, (index) => found[index]?.path ?? ''));
  }
  for (const run of checks.run) errors.push(await errorsOf(run));
  return Object.fromEntries(errors.flatMap((each) => Object.entries(each)));
}

/**
 * Returns the errors that `@RefersTo` finds in records of a class, by their index. One statement for each entity finds its
 * records.
 * @param values the valid parts of the records, see {@link removeRefused}
 */
export async function referenceErrors(
  lookup: RecordLookup,
  input: InputClass,
  values: readonly object[],
): Promise<readonly FieldErrors[]> {
  const byEntity = new Map<RecordClass, (Reference & { readonly index: number })[]>();
  for (const { name, entity } of declaredChecks(input).references) {
    const found = values.flatMap((value, index) =>
      referencesIn((value as PlacedInput['value'])[name], name).map((reference) => ({ ...reference, index })),
    );
    byEntity.set(entity(), [...(byEntity.get(entity()) ?? []), ...found]);
  }
  const errors = values.map((): Record<string, readonly string[]> => ({}));
  for (const [entity, references] of byEntity) {
    const missing = await lookup.missingRecordErrors(
      entity,
      references.map(({ id }) => id),
      (position) => String(position),
    );
    for (const [position, messages] of Object.entries(missing)) {
      const { index, path } = references[Number(position)] ?? { index: -1, path: '' };
      Object.assign(errors[index] ?? {}, { [path]: messages });
    }
  }
  return errors;
}

function collect(placed: PlacedInput, refused: readonly string[], context: InputContext, checks: Checks): void {
  const { input, value, path } = placed;
  const declared = declaredChecks(input);
  for (const { name, entity, permission } of declared.references) {
    const found = referencesIn(value[name], path + name);
    if (found.length > 0 && permission && !context.isAllowed(permission)) throw new PermissionMissing(permission);
    if (found.length > 0) checks.references.set(entity(), [...(checks.references.get(entity()) ?? []), ...found]);
  }
  const pathOf = (field: string): string => path + field;
  const isRefused = (field: string): boolean =>
    refused.some((each) => each === path + field || each.startsWith(`${path}${field}.`));
  const unknownFields = (): string[] => {
    const known = declaredFields(input);
    const names = refused.filter((each) => each.startsWith(path)).map((each) => each.slice(path.length));
    return names.filter((name) => isUnknown(name, known));
  };
  for (const check of declared.checks as InputCheck<object>[]) {
    checks.run.push(() => check(value, { context, pathOf, isRefused, unknownFields }));
  }
  for (const inner of inputsIn(placed)) collect(inner, refused, context, checks);
}

/** Whether a path is that of a field that a class does not declare. */
export const isUnknown = (path: string, declared: ReadonlySet<string>): boolean =>
  !path.includes('.') && !declared.has(path);

function referencesIn(value: unknown, path: string): Reference[] {
  if (typeof value === 'number') return [{ path, id: value }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((id: unknown, index) => (typeof id === 'number' ? [{ path: `${path}.${index}`, id }] : []));
}

function inputsIn({ input, value, path }: PlacedInput): PlacedInput[] {
  return [...nestedInputs(input)].flatMap(([name, nested]) => {
    const inner = value[name];
    if (!nested.each) return isObject(inner) ? [{ input: nested.input, value: inner, path: `${path}${name}.` }] : [];
    if (!Array.isArray(inner)) return [];
    return inner.flatMap((each: unknown, index) =>
      isObject(each) ? [{ input: nested.input, value: each, path: `${path}${name}.${index}.` }] : [],
    );
  });
}

async function errorsOf(run: Checks['run'][number]): Promise<FieldErrors> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ValidationFailed) return error.errors;
    throw error;
  }
}

/** Removes from an input what validation has refused. Elements of arrays become undefined, so the others keep their index. */
export function removeRefused(value: object, refused: readonly string[]): void {
  for (const path of refused) remove(value as Record<string, unknown>, path.split('.'));
}

/** A key can contain dots, so the rest of the path is tried as a key if its first segment is none. */
function remove(at: Record<string, unknown>, [segment = '', ...rest]: readonly string[]): void {
  const inner = Object.hasOwn(at, segment) ? at[segment] : undefined;
  if (rest.length > 0 && typeof inner === 'object' && inner !== null) remove(inner as Record<string, unknown>, rest);
  else if (rest.length > 0) delete at[[segment, ...rest].join('.')];
  else if (Array.isArray(at)) at[Number(segment)] = undefined;
  else delete at[segment];
}
