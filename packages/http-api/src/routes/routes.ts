import { Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { type Permission, PUBLIC_ROUTE, REQUIRED_PERMISSION } from './permissions.js';

/** A route, as its decorators declare it. */
export interface Route {
  readonly method: string;
  /** Begins with a slash; a parameter is written `:name`. */
  readonly path: string;
  readonly permission: Permission | 'any' | undefined;
  readonly isPublic: boolean;
  /** The controller's prototype, which has the method `handler`. */
  readonly controller: object;
  readonly handler: string;
}

/** Reads the routes of all controllers. A handler of `PUT` handles `PATCH`, too. */
@Injectable()
export class Routes {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  all(): Route[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const controller = metatype as new () => object;
      const prototype = controller.prototype as Record<string, object>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => this.routesOf(controller, prototype, name));
    });
  }

  /** @throws Error if a route declares neither a permission nor that it is public */
  assertPermissionsDeclared(): void {
    const open = this.all().filter((route) => !route.permission && !route.isPublic);
    if (open.length === 0) return;
    throw new Error(`Routes without permission: ${open.map(({ method, path }) => `${method} ${path}`).join(', ')}`);
  }

  private routesOf(controller: new () => object, prototype: Record<string, object>, name: string): Route[] {
    const handler = prototype[name];
    const method = handler && this.reflector.get<RequestMethod | undefined>(METHOD_METADATA, handler as never);
    if (!handler || method === undefined) return [];
    const targets = [handler as never, controller];
    const prefixes = paths(this.reflector.get(PATH_METADATA, controller));
    const declared = prefixes.flatMap((prefix) =>
      paths(this.reflector.get(PATH_METADATA, handler as never)).map((path) => ({
        method: RequestMethod[method],
        path: `/${[prefix, path]
          .flatMap((part) => part.split('/'))
          .filter(Boolean)
          .join('/')}`,
        permission: this.reflector.getAllAndOverride<Permission | 'any' | undefined>(REQUIRED_PERMISSION, targets),
        isPublic: this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, targets) ?? false,
        controller: prototype,
        handler: name,
      })),
    );
    return method === RequestMethod.PUT
      ? declared.flatMap((route) => [route, { ...route, method: 'PATCH' }])
      : declared;
  }
}

/** @returns what a decorator of the handler of a route has stored under a key; undefined if the handler has none */
export const routeMetadata = <T>({ controller, handler }: Pick<Route, 'controller' | 'handler'>, key: symbol) =>
  Reflect.getMetadata(key, (controller as Readonly<Record<string, object>>)[handler] ?? {}) as T | undefined;

/**
 * A middleware that lets `PATCH` do what `PUT` does, because the bodies of `PUT` are partial: the routes of `PUT` handle
 * it. Runs after the check of the method.
 */
export function patchAsPut(request: Request, _response: Response, next: NextFunction): void {
  if (request.method === 'PATCH') request.method = 'PUT';
  next();
}

const paths = (metadata: string | string[] | undefined): string[] => [metadata ?? ''].flat();
