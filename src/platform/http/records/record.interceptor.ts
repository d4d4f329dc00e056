import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Observable } from 'rxjs';
import { NotFound } from '@outreach/http-errors';
import { addInputErrors, pathId } from '@outreach/http-api/requests';
import { type ParentRule, type PathText, RECORD_RULES, type RecordRule } from '@outreach/http-api/records';
import type { EntityClass, WorkspaceEntity, WorkspaceScope } from '../../tenancy/index.js';
import type { ServiceRequest } from '../requests/index.js';

/** How the records of a route are found. */
export type EntityRule = RecordRule<WorkspaceEntity>;

/**
 * Loads the record whose ID is a parameter of the path, before the request's body is validated. If a route has two of
 * these decorators, the upper one is loaded first.
 * @param within for a record that belongs to another one
 */
export function LoadRecord(
  entity: EntityClass<WorkspaceEntity>,
  parameter = 'id',
  within?: ParentRule,
): MethodDecorator {
  return addRule({ entity, parameter, ...(within ? { within } : {}) });
}

/**
 * Looks for the record whose unique column `parameter` has the text of the path, before the request's body is validated.
 * The record need not exist. The handler gets the text as `readText` returns it; its error is one of the input.
 */
export const FindRecord = (
  entity: EntityClass<WorkspaceEntity>,
  parameter: string,
  readText: (text: string) => PathText,
): MethodDecorator => addRule({ entity, parameter, readText });

const addRule =
  (rule: EntityRule): MethodDecorator =>
  (_target, _key, descriptor: PropertyDescriptor) => {
    const handler = descriptor.value as object;
    const innerRules = (Reflect.getMetadata(RECORD_RULES, handler) ?? []) as EntityRule[];
    Reflect.defineMetadata(RECORD_RULES, [rule, ...innerRules], handler);
  };

/** Metadata key of the {@link RecordCheck} of a route. */
const RECORD_CHECK = Symbol('record check');

/** A provider that checks whether the record of a path exists, if `@LoadRecord` cannot load it. */
export interface RecordCheck {
  /** @throws NotFound */
  check(request: ServiceRequest): Promise<unknown>;
}

/** Runs a check after the records of `@LoadRecord` are loaded, and before the request's body is validated. */
export const CheckRecord = (check: Type<RecordCheck>): MethodDecorator => SetMetadata(RECORD_CHECK, check);

/**
 * Loads the records of `@LoadRecord`, and runs the check of `@CheckRecord`. Responds with 404 if one does not exist or
 * belongs to another workspace. Runs after the interceptor of `Idempotency-Key`: a repeated request gets the first
 * response even if its record was deleted since.
 */
@Injectable()
export class RecordInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  /** @throws NotFound */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const rules = this.reflector.get<EntityRule[] | undefined>(RECORD_RULES, context.getHandler());
    const check = this.reflector.get<Type<RecordCheck> | undefined>(RECORD_CHECK, context.getHandler());
    if (!rules && !check) return next.handle();
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    return this.findAll(request, rules ?? [], check).then(() => next.handle());
  }

  private async findAll(
    request: ServiceRequest,
    rules: readonly EntityRule[],
    check: Type<RecordCheck> | undefined,
  ): Promise<void> {
    await loadRecords(request, rules);
    if (check) await this.modules.get<RecordCheck>(check, { strict: false }).check(request);
  }
}

/** Loads the records of a request, in the order of the rules. @throws NotFound */
export async function loadRecords(request: ServiceRequest, rules: readonly EntityRule[]): Promise<void> {
  const records = new Map<string, WorkspaceEntity>();
  request.records = records;
  for (const rule of rules) {
    const record = rule.readText ? await findByText(request, rule, rule.readText) : await load(request, rule);
    if (record) records.set(rule.parameter, record);
  }
}

async function load(request: ServiceRequest, { entity, parameter, within }: EntityRule): Promise<WorkspaceEntity> {
  const records = scopeOf(request).of(entity);
  const id = pathId(request.params[parameter]);
  if (!within) return records.get(id);
  const parent = request.records?.get(within.parameter);
  const [record] = await records.find({ [within.key ?? 'id']: id, [within.column]: parent?.id });
  if (!record) throw new NotFound();
  return record;
}

async function findByText(
  request: ServiceRequest,
  { entity, parameter }: EntityRule,
  readText: (text: string) => PathText,
): Promise<WorkspaceEntity | undefined> {
  const { value, error } = readText(String(request.params[parameter]).trim());
  request.params[parameter] = value;
  if (error !== undefined) return void addInputErrors(request, { [parameter]: [error] });
  // PostgreSQL refuses parameters with NUL characters.
  if (value.includes('\0')) return undefined;
  const [record] = await scopeOf(request)
    .of(entity)
    .find({ [parameter]: value });
  return record;
}

function scopeOf({ scope }: ServiceRequest): WorkspaceScope {
  if (!scope) throw new Error('A route for a record cannot be public.');
  return scope;
}
