import type { FieldErrors } from '@outreach/http-errors';
import type { InputContext, RecordClass } from './input-context.js';
import type { Permission } from '../routes/index.js';
import type { InputClass } from '../fields/index.js';

/** An input as its checks receive it: without the fields and elements that validation has refused. */
export type ValidPart<T> = T extends readonly (infer Element)[]
  ? readonly (ValidPart<Element> | undefined)[]
  : T extends Date
    ? T
    : T extends object
      ? { readonly [Name in keyof T]?: ValidPart<T[Name]> | undefined }
      : T;

/** Where an input is in the body, and what a check may use. */
export interface CheckedInput {
  readonly context: InputContext;
  /** Returns the path of a field of the input, as the client wrote it. */
  readonly pathOf: (field: string) => string;
  /** Whether validation has refused the field, or a part of it. */
  readonly isRefused: (field: string) => boolean;
  /** Returns what the client has sent and the class does not declare. An error of the check for it replaces the general one. */
  readonly unknownFields: () => readonly string[];
}

/**
 * A check that class-validator cannot make, because it needs more than the value: other records, the stored
 * record, the caller. Returns errors by the path of the field, or throws ValidationFailed. It changes nothing.
 */
export type InputCheck<Input> = (input: ValidPart<Input>, checked: CheckedInput) => FieldErrors | Promise<FieldErrors>;

/** A field that contains the ID of a record, or an array of IDs. */
export interface ReferenceField {
  readonly name: string;
  readonly entity: () => RecordClass;
  /** What the caller needs to name a record, beside the permission of the route. */
  readonly permission?: Permission | undefined;
}

/** A field that an operation changes and a body cannot. */
export interface OperationField {
  /** Returns the only value that a body may have: that of the stored record, or of a new one. */
  readonly value: (context: InputContext) => unknown;
  /** How the field changes: the end of the error message. */
  readonly by: string;
}

/** What the decorators of this file declare about one class. */
interface Declared {
  readonly references: ReferenceField[];
  readonly checks: InputCheck<never>[];
  readonly ignored: { readonly name: string; readonly when: (context: InputContext) => boolean }[];
  readonly operations: (OperationField & { readonly name: string })[];
}

const declarations = new WeakMap<object, Declared>();

const NOTHING = (): Declared => ({ references: [], checks: [], ignored: [], operations: [] });

function declaredBy(input: object): Declared {
  const declared = declarations.get(input) ?? NOTHING();
  declarations.set(input, declared);
  return declared;
}

/**
 * The field contains the ID of a record, or an array of IDs. IDs of records that the caller cannot see are errors. Add it to
 * the rules that check the form of the ID.
 * @param options.permission a caller without it gets 403 for any ID, if the record would show in what the route does
 */
export const RefersTo =
  (entity: () => RecordClass, { permission }: Pick<ReferenceField, 'permission'> = {}): PropertyDecorator =>
  (target, name) =>
    void declaredBy(target.constructor).references.push({ name: String(name), entity, permission });

/** The check runs for each input of the class, whether or not validation has refused some of its fields. */
export const CheckedBy =
  <Input extends object>(check: InputCheck<Input>) =>
  (input: new () => Input): void =>
    void declaredBy(input).checks.push(check);

/** A body may have the field, with any value and without effect, if `when` returns true. */
export const IgnoredIf =
  (when: (context: InputContext) => boolean): PropertyDecorator =>
  (target, name) =>
    void declaredBy(target.constructor).ignored.push({ name: String(name), when });

/**
 * A body may have these fields, which responses show, only as they are stored; a new record, as it will have them. Another
 * value is an error, because the client means to change what only an operation changes.
 */
export const ChangedByOperation =
  (fields: Readonly<Record<string, OperationField>>) =>
  (input: InputClass): void =>
    void declaredBy(input).operations.push(...Object.entries(fields).map(([name, field]) => ({ name, ...field })));

/** Returns the value of a field as the record of the path has it, or as a new one will. */
export const storedValue =
  <T extends object>(entity: () => RecordClass<T>, name: keyof T, initial: unknown = null) =>
  (context: InputContext): unknown => {
    const stored = context.record(entity());
    return stored ? stored[name] : initial;
  };

/** Returns what an input class and those that it extends declare. */
export function declaredChecks(input: InputClass): Declared {
  const own = declarations.get(input);
  const parent = Object.getPrototypeOf(input) as InputClass | null;
  if (parent === null) return own ?? NOTHING();
  const inherited = declaredChecks(parent);
  return own
    ? {
        references: [...inherited.references, ...own.references],
        checks: [...inherited.checks, ...own.checks],
        ignored: [...inherited.ignored, ...own.ignored],
        operations: [...inherited.operations, ...own.operations],
      }
    : inherited;
}
