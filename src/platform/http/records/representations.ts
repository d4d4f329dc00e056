import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ModuleRef } from '@nestjs/core';
import { NotFound } from '@outreach/http-errors';
import { recordTag } from '@outreach/http-api/responses';
import {
  type ConditionalRoute,
  conditionalRoute,
  declaredResponse,
  lastParameter,
  recordRules,
} from '@outreach/http-api/records';
import { pathId } from '@outreach/http-api/requests';
import { type Route, Routes } from '@outreach/http-api/routes';
import { sql } from '../../database/index.js';
import type { WorkspaceEntity, WorkspaceScope } from '../../tenancy/index.js';
import { type EntityRule, loadRecords } from './record.interceptor.js';
import type { ServiceRequest } from '../requests/index.js';

/** How the record is found and shown that a request changes. */
export type EntityRoute = ConditionalRoute<WorkspaceEntity>;

/** How a parameter decorator finds its value. */
interface ParameterFactory {
  readonly index: number;
  readonly data: unknown;
  readonly factory?: (data: unknown, context: ExecutionContext) => unknown;
}

/** Finds the current entity tags of the records that requests change. */
@Injectable()
export class Representations {
  private readonly byHandler = new WeakMap<object, { readonly found: EntityRoute | undefined }>();

  constructor(
    private readonly routes: Routes,
    private readonly modules: ModuleRef,
  ) {}

  /** @returns how the record of a request is found and shown; undefined if no route shows it */
  of(context: ExecutionContext): EntityRoute | undefined {
    const handler = context.getHandler();
    const cached = this.byHandler.get(handler) ?? { found: this.find(context) };
    this.byHandler.set(handler, cached);
    return cached.found;
  }

  /**
   * Locks the record of a request until the transaction ends, so that no other request changes it. What belongs to no
   * record, such as the settings, is locked against other conditional requests.
   * @throws NotFound if the record is deleted meanwhile
   */
  async lock({ get, rule }: EntityRoute, request: ServiceRequest, scope: WorkspaceScope): Promise<void> {
    if (!rule) {
      await scope.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${get.path}, ${scope}))`);
      return;
    }
    const record = await findRecord(rule, request, scope);
    if (record) await scope.of(rule.entity).lock(record.id);
  }

  /**
   * @returns the entity tag that `GET` of the record would respond with; undefined if a request with a key would create it
   * @throws NotFound if the record of an ID, or the one to be deleted, does not exist
   */
  async tag({ get, rule }: EntityRoute, request: ServiceRequest, scope: WorkspaceScope): Promise<string | undefined> {
    const record = rule?.readText && (await findRecord(rule, request, scope));
    if (rule?.readText && !record) {
      if (request.method === 'DELETE') throw new NotFound();
      return undefined;
    }
    const params = record ? { [lastParameter(get) ?? 'id']: String(record.id) } : request.params;
    const derived = Object.create(request, {
      scope: { value: scope },
      params: { value: params },
      records: { value: undefined, writable: true },
    }) as ServiceRequest;
    await loadRecords(derived, recordRules(get));
    const view = declaredResponse(get)?.view;
    if (!view) throw new Error(`${get.path} shows no record.`);
    return recordTag(view, view.toJson((await this.call(get, derived)) as never));
  }

  private find(context: ExecutionContext): EntityRoute | undefined {
    const routes = this.routes.all();
    const route = routes.find(
      ({ controller, handler }) => controller === context.getClass().prototype && handler === context.getHandler().name,
    );
    return route && conditionalRoute<WorkspaceEntity>(route, routes);
  }

  /** Calls the handler of a route that takes neither a body nor a query string. */
  private call({ controller, handler }: Route, request: ServiceRequest): unknown {
    const instance = this.modules.get<Record<string, (...args: unknown[]) => unknown>>(controller.constructor, {
      strict: false,
    });
    const context = { switchToHttp: () => ({ getRequest: () => request }) } as ExecutionContext;
    const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, handler) ?? {}) as Readonly<
      Record<string, ParameterFactory>
    >;
    const args: unknown[] = [];
    for (const { index, data, factory } of Object.values(parameters)) {
      if (!factory) throw new Error(`The parameters of ${handler} depend on more than the path.`);
      args[index] = factory(data, context);
    }
    return instance[handler]?.(...args);
  }
}

async function findRecord(
  { entity, parameter, within, readText }: EntityRule,
  { params }: ServiceRequest,
  scope: WorkspaceScope,
): Promise<WorkspaceEntity | undefined> {
  const key = within?.key ?? (readText ? parameter : 'id');
  const value = readText ? readText(String(params[parameter])).value : pathId(params[parameter]);
  if (typeof value === 'string' && value.includes('\0')) return undefined;
  const parent = within ? { [within.column]: pathId(params[within.parameter]) } : {};
  const [record] = await scope.of(entity).find({ [key]: value, ...parent });
  return record;
}
