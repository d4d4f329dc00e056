import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type FieldErrors, NotFound } from '@outreach/http-errors';
import type { EntityClass, WorkspaceEntity, WorkspaceScope } from '../../tenancy/index.js';
import type { Permission } from '../routes/index.js';
import type { ReceivedFile } from './received-file.js';

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
export interface ServiceRequest extends Request {
  user?: Principal;
  scope?: WorkspaceScope;
  /** The bytes of a JSON body. */
  rawBody?: Buffer;
  /** The errors of a JSON body that is not parsed because it has too many levels, keys or values. */
  refusedBody?: FieldErrors;
  /** The records of `@LoadRecord`, by path parameter. */
  records?: Map<string, WorkspaceEntity>;
  /** Lets another request of a workspace start. May be called more than once. */
  releasePlace?: () => void;
  /** Errors that were found before the input was read. They are part of the response to an invalid input. */
  inputErrors?: FieldErrors;
  /** The uploaded file. It is deleted when the request ends. */
  upload?: ReceivedFile;
}

/** Adds errors to those of the input, which are all in one response. */
export function addInputErrors(request: ServiceRequest, errors: FieldErrors): void {
  request.inputErrors = { ...request.inputErrors, ...errors };
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

/** An ID in the path. Any value but an integer from 1 to 2^53−1 is a 404. */
export const IdParam = createParamDecorator((parameter: string | undefined, context: ExecutionContext): number =>
  pathId(requestOf(context).params[parameter ?? 'id']),
);

/**
 * Parses the ID of a path.
 * @throws NotFound if the text is not an integer from 1 to 2^53−1
 */
export function pathId(text: unknown): number {
  const id = typeof text === 'string' && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(id)) throw new NotFound();
  return id;
}

/** Metadata key of the {@link RecordRule}s of a route. */
export const RECORD_RULES = Symbol('record rules');

/** How a record is found that belongs to another one. */
export interface ParentRule {
  /** The column that equals the ID of the other record. */
  readonly column: string;
  /** The path parameter of the other record. */
  readonly parameter: string;
  /** The column that the path parameter of this record contains; `id` by default. */
  readonly key?: string;
}

/** A text of a path, as records have it; or why no record can. */
export interface PathText {
  readonly value: string;
  readonly error?: string;
}

/** A record that must exist before the body is validated: API v1 checks 404 before 422. */
export interface RecordRule {
  readonly entity: EntityClass<WorkspaceEntity>;
  readonly parameter: string;
  /** The parameter is a text, and the name of a unique column. The record need not exist. */
  readonly readText?: (text: string) => PathText;
  /** The record belongs to that of another, earlier parameter. */
  readonly within?: ParentRule;
}
