import type { ExecutionContext } from '@nestjs/common';
import type { FieldErrors } from '@outreach/http-errors';
import type { ApiRequest, ReceivedFile } from '../requests/index.js';
import type { Permission } from '../routes/index.js';

/** The class of a record that inputs refer to. */
export type RecordClass<T extends object = object> = new () => T;

/** Where the records are that inputs refer to. */
export interface RecordLookup {
  /**
   * Returns an error for each ID that is not that of a record.
   * @param fieldOf returns the path of the nth ID
   */
  missingRecordErrors(
    entity: RecordClass,
    ids: readonly number[],
    fieldOf: (index: number) => string,
  ): Promise<FieldErrors>;
}

/**
 * What the checks of an input may use beside the input: the request, and the services of the application, which adds more by
 * declaration merging: `declare module '@outreach/http-api/validation' { interface InputContext { … } }`
 */
export interface InputContext {
  /** The path of the request. */
  readonly path: string;
  /** The names of the parameters in the query string. */
  readonly parameters: ReadonlySet<string>;
  /** The file of a route with `@AcceptsUpload`; undefined if the client sent none. */
  readonly upload: ReceivedFile | undefined;
  /** The records that the caller can refer to. */
  readonly lookup: RecordLookup;
  /** Whether the caller has a permission. */
  isAllowed(permission: Permission): boolean;
  /** The record that the route has loaded; undefined if it has no record of this class in its path. */
  record<T extends object>(entity: RecordClass<T>): T | undefined;
  /** The provider of a class. */
  inject<T>(provider: abstract new (...args: never[]) => T): T;
}

/** Makes the contexts of an application. */
export abstract class InputContexts {
  /** Returns the context of a request whose caller and records are known. Of a public route, neither is used. */
  abstract of(request: ApiRequest, context: ExecutionContext): InputContext;
}
