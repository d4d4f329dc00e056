import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { NotFound } from '../errors/index.js';
import type { EntityClass, WorkspaceEntity } from '../tenancy/index.js';
import { RECORD_RULES, pathId, type RecordRule, type ServiceRequest } from './request.js';

/**
 * Loads the record whose ID is a parameter of the path, before the request's body is validated. If a route has two of
 * these decorators, the upper one is loaded first.
 * @param within for a record that belongs to another one: its foreign-key column, and the path parameter of that other
 *   record
 */
export function LoadRecord(
  entity: EntityClass<WorkspaceEntity>,
  parameter = 'id',
  within?: { readonly column: string; readonly parameter: string },
): MethodDecorator {
  return (_target, _key, descriptor: PropertyDescriptor) => {
    const handler = descriptor.value as object;
    const innerRules = (Reflect.getMetadata(RECORD_RULES, handler) ?? []) as RecordRule[];
    const rule: RecordRule = { entity, parameter, ...(within ? { within } : {}) };
    Reflect.defineMetadata(RECORD_RULES, [rule, ...innerRules], handler);
  };
}

/** Loads the records of `@LoadRecord`. Responds with 404 if one does not exist or belongs to another workspace. */
@Injectable()
export class RecordGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rules = this.reflector.get<RecordRule[] | undefined>(RECORD_RULES, context.getHandler());
    if (!rules) return true;
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    request.records = new Map();
    for (const rule of rules) request.records.set(rule.parameter, await load(request, rule));
    return true;
  }
}

async function load(request: ServiceRequest, rule: RecordRule): Promise<WorkspaceEntity> {
  if (!request.scope) throw new Error('A route for a record cannot be public.');
  const record = await request.scope.of(rule.entity).get(pathId(request.params[rule.parameter]));
  if (rule.within) {
    const parent = request.records?.get(rule.within.parameter);
    if ((record as unknown as Record<string, unknown>)[rule.within.column] !== parent?.id) throw new NotFound();
  }
  return record;
}
