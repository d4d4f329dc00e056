import { RECORD_RULES, type RecordRule } from '@outreach/http-api/records';
import { type InputContext, InputContexts, type RecordClass } from '@outreach/http-api/validation';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { WorkspaceScope } from '../../tenancy/index.js';
import type { Principal, ServiceRequest } from './request.js';

declare module '@outreach/http-api/validation' {
  interface InputContext {
    /** The caller's workspace. */
    readonly scope: WorkspaceScope;
    /** The token that the request was made with. */
    readonly caller: Principal;
  }
}

/** Lets the checks of inputs use the caller's workspace, and the records of `@LoadRecord`. */
@Injectable()
export class WorkspaceInputContexts extends InputContexts {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {
    super();
  }

  of(request: ServiceRequest, context: ExecutionContext): InputContext {
    const rules = this.reflector.get<RecordRule[] | undefined>(RECORD_RULES, context.getHandler()) ?? [];
    return {
      get scope() {
        return defined(request.scope);
      },
      get lookup() {
        return this.scope;
      },
      get caller() {
        return defined(request.user);
      },
      isAllowed(permission) {
        return this.caller.permissions.includes(permission);
      },
      path: request.path,
      get parameters() {
        return new Set(Object.keys(request.query));
      },
      upload: request.upload,
      record: <T extends object>(entity: RecordClass<T>) => {
        const rule = rules.find((each) => each.entity === entity);
        return rule && (request.records?.get(rule.parameter) as T | undefined);
      },
      inject: (provider) => this.modules.get(provider as never, { strict: false }),
    };
  }
}

function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The input of a public route cannot be checked against a workspace.');
  return value;
}
