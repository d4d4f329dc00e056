import 'reflect-metadata';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { Route } from '../routes/index.js';
import type { InputClass } from '../fields/index.js';

/** The inputs of a route, read from the decorators of its handler's parameters. */
export interface RouteInputs {
  readonly body?: InputClass;
  readonly query?: InputClass;
  /** The path parameters that are text; the others are IDs. */
  readonly textParameters: readonly string[];
}

interface Argument {
  readonly kind: number;
  readonly index: number;
  readonly data: unknown;
}

/** @returns the inputs of a route */
export function routeInputs(route: Pick<Route, 'controller' | 'handler'>): RouteInputs {
  const args = argumentsOf(route);
  const types = (Reflect.getMetadata('design:paramtypes', route.controller, route.handler) ?? []) as InputClass[];
  const typeOf = (kind: RouteParamtypes): InputClass | undefined => {
    const argument = args.find((each) => each.kind === Number(kind));
    return argument && types[argument.index];
  };
  const body = typeOf(RouteParamtypes.BODY);
  const query = typeOf(RouteParamtypes.QUERY);
  const textParameters = args
    .filter(({ kind }) => kind === Number(RouteParamtypes.PARAM))
    .map(({ data }) => String(data));
  return { ...(body ? { body } : {}), ...(query ? { query } : {}), textParameters };
}

/** Nest stores them as `kind:index` → details. The keys of custom decorators do not begin with a number. */
function argumentsOf({ controller, handler }: Pick<Route, 'controller' | 'handler'>): Argument[] {
  const metadata = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, handler) ?? {}) as Readonly<
    Record<string, { readonly index: number; readonly data?: unknown }>
  >;
  return Object.entries(metadata).map(([key, { index, data }]) => ({ kind: Number(key.split(':')[0]), index, data }));
}
