import type { EntityClass, WorkspaceEntity, WorkspaceScope } from '../../tenancy/index.js';
import type { Principal } from './request.js';
import type { ReceivedFile } from './received-file.js';

/** What the checks of an input may use beside the input: the request, and the services of the application. */
export interface InputContext {
  /** The caller's workspace. */
  readonly scope: WorkspaceScope;
  /** The path of the request. */
  readonly path: string;
  /** The names of the parameters in the query string. */
  readonly parameters: ReadonlySet<string>;
  /** The token that the request was made with. */
  readonly caller: Principal;
  /** The file of a route with `@AcceptsUpload`; undefined if the client sent none. */
  readonly upload: ReceivedFile | undefined;
  /** The record that `@LoadRecord` has loaded; undefined if the route has no record of this entity in its path. */
  record<T extends WorkspaceEntity>(entity: EntityClass<T>): T | undefined;
  /** The provider of a class. */
  inject<T>(provider: abstract new (...args: never[]) => T): T;
}
