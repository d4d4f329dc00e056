import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ApiRequest } from '@outreach/http-api/requests';
import type { Permission } from '@outreach/http-api/routes';
import type { WorkspaceEntity, WorkspaceScope } from '../../tenancy/index.js';

/** The verified token of the request. `expires_at` is null if the token does not expire. */
export interface Principal {
  readonly token_id: number;
  readonly workspace_id: number;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expires_at: Date | null;
  /** Whether the workspace is a sandbox. */
  readonly is_sandbox: boolean;
}

/** A request, with what the guards add to it. */
export interface ServiceRequest extends ApiRequest {
  user?: Principal;
  scope?: WorkspaceScope;
  /** The records of `@LoadRecord`, by path parameter. */
  records?: Map<string, WorkspaceEntity>;
  /** Lets another request of a workspace start. May be called more than once. */
  releasePlace?: () => void;
}

const requestOf = (context: ExecutionContext): ServiceRequest => context.switchToHttp().getRequest<ServiceRequest>();

/** The database scope of the caller's workspace. */
export const InWorkspace = createParamDecorator((_: unknown, context: ExecutionContext): WorkspaceScope => {
  const { scope } = requestOf(context);
  if (!scope) throw new Error('A route that takes a scope cannot be public.');
  return scope;
});

/** The token that the request was made with. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { user } = requestOf(context);
  if (!user) throw new Error('A route that takes its caller cannot be public.');
  return user;
});

/** The record that `@LoadRecord` has loaded for a path parameter, `id` by default. */
export const LoadedRecord = createParamDecorator(
  (parameter: string | undefined, context: ExecutionContext): unknown => {
    const record = requestOf(context).records?.get(parameter ?? 'id');
    if (!record) throw new Error('@LoadedRecord() needs @LoadRecord() on its route.');
    return record;
  },
);
