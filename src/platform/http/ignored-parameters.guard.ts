import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { routeInputs } from './openapi/index.js';
import { isPublicRoute } from './permissions.js';
import { declaredFields } from './validation/index.js';

const HEADER = 'X-Ignored-Parameters';
/** The names that exceed this length together are left out, because clients and proxies limit the size of headers. */
const MAX_HEADER_LENGTH = 1_000;

const NO_PARAMETERS: ReadonlySet<string> = new Set();

/**
 * Names the unknown parameters of a query string in the header `X-Ignored-Parameters`. It refuses nothing; it is the first
 * of the guards, so that the responses of the others have the header, too.
 */
@Injectable()
export class IgnoredParametersGuard implements CanActivate {
  private readonly known = new WeakMap<object, ReadonlySet<string>>();

  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.url.includes('?') && !isPublicRoute(this.reflector, context)) {
      const known = this.knownParameters(context);
      const ignored = Object.keys(request.query).filter((name) => !known.has(name));
      if (ignored.length > 0) http.getResponse<Response>().setHeader(HEADER, headerValue(ignored));
    }
    return true;
  }

  private knownParameters(context: ExecutionContext): ReadonlySet<string> {
    const handler = context.getHandler();
    const cached = this.known.get(handler);
    if (cached) return cached;
    const controller = context.getClass().prototype as object;
    const { query } = routeInputs({ controller, handler: handler.name });
    const parameters = query ? declaredFields(query) : NO_PARAMETERS;
    this.known.set(handler, parameters);
    return parameters;
  }
}

/** Returns the names in percent-encoding (a name can contain any character), joined by commas. */
function headerValue(names: readonly string[]): string {
  let value = '';
  for (const name of names) {
    const encoded = encodeURIComponent(name.slice(0, MAX_HEADER_LENGTH).toWellFormed());
    if (value.length + encoded.length <= MAX_HEADER_LENGTH) value += value ? `, ${encoded}` : encoded;
  }
  return value;
}
