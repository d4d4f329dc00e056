import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '../errors/index.js';
import type { EntityClass, WorkspaceEntity, WorkspaceScope } from '../tenancy/index.js';
import type { Permission } from './permissions.js';
import type { UploadedFile } from './upload/uploaded-file.js';

/** Who calls: the token that the request carries, already checked. Dates are null where nothing was set. */
export interface Principal {
  readonly token_id: number;
  readonly workspace_id: number;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expires_at: Date | null;
}

/** What the guards leave on the request for those after them. */
export interface ServiceRequest extends Request {
  user?: Principal;
  scope?: WorkspaceScope;
  /** A JSON body as it was sent. */
  rawBody?: Buffer;
  /** The records that the path names, by parameter. */
  records?: Map<string, WorkspaceEntity>;
  /** The file of a form, while the request lasts. */
  upload?: UploadedFile;
}

const requestOf = (context: ExecutionContext): ServiceRequest => context.switchToHttp().getRequest<ServiceRequest>();

/** The caller's scope on the database. */
export const InWorkspace = createParamDecorator((_: unknown, context: ExecutionContext): WorkspaceScope => {
  const { scope } = requestOf(context);
  if (!scope) throw new Error('A route that takes a scope cannot be public.');
  return scope;
});

/** The caller. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { user } = requestOf(context);
  if (!user) throw new Error('A route that takes its caller cannot be public.');
  return user;
});

/** The record that `@ForRecord` has loaded for a path parameter (`id` unless named). */
export const LoadedRecord = createParamDecorator(
  (parameter: string | undefined, context: ExecutionContext): unknown => {
    const record = requestOf(context).records?.get(parameter ?? 'id');
    if (!record) throw new Error('@Record() needs @ForRecord() on its route.');
    return record;
  },
);

/** An ID in the path. What is no positive integer, or beyond 2^53−1, names nothing: 404. */
export const IdParam = createParamDecorator((parameter: string | undefined, context: ExecutionContext): number =>
  pathId(requestOf(context).params[parameter ?? 'id']),
);

/** @throws NotFound unless the text is the ID of something that could exist */
export function pathId(text: unknown): number {
  const id = typeof text === 'string' && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(id)) throw new NotFound();
  return id;
}

export const RECORD_RULES = Symbol('for record');

/** A record that must be there before the body is looked at: API v1 checks 404 before 422. */
export interface RecordRule {
  readonly entity: EntityClass<WorkspaceEntity>;
  readonly parameter: string;
  /** Column of the record that must equal the record of another, earlier parameter. */
  readonly within?: { readonly column: string; readonly parameter: string };
}
