import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Observable } from 'rxjs';
import { ValidationFailed } from '@outreach/http-errors';
import { InputContexts, readBodyInput, type ReadInput, readQueryInput } from '../validation/index.js';
import type { ApiRequest } from '../requests/index.js';
import { routeInputs, type RouteInputs } from '../openapi/index.js';
import { isPublicRoute } from '../routes/index.js';
import { declaredFields, type InputClass } from '../fields/index.js';

/** The body or the query string of an operation that takes none. */
class NoFields {}

/** HTTP gives the body of other methods no meaning (RFC 9110, 9.3), so it is ignored if the route takes none. */
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Turns the body and the query string into instances of the classes that the handler declares with `@Body()` and
 * `@Query()`, and refuses them with the errors of all their fields in one response: those of their form, those of
 * `@RefersTo` and `@CheckedBy`, and those that earlier interceptors have found. It is the only place that throws them.
 * Runs last, because a record of the path that does not exist (404) comes before the input (422).
 */
@Injectable()
export class InputInterceptor implements NestInterceptor {
  private readonly inputs = new WeakMap<object, RouteInputs>();

  constructor(
    private readonly reflector: Reflector,
    private readonly contexts: InputContexts,
  ) {}

  /** @throws ValidationFailed with the errors of every field */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { body, query } = this.inputsOf(context, request);
    const takesNothing = !body && !query && !request.inputErrors && !hasUnexpectedBody(request);
    return takesNothing ? next.handle() : this.validate(context, request).then(() => next.handle());
  }

  private async validate(context: ExecutionContext, request: ApiRequest): Promise<void> {
    const { body, query } = await this.read(context, request);
    const errors = { ...query?.errors, ...body?.errors, ...request.inputErrors };
    if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
    if (body) request.body = body.value;
    // Express reads the query string whenever the property is used.
    if (query) Object.defineProperty(request, 'query', { value: query.value });
  }

  private async read(
    context: ExecutionContext,
    request: ApiRequest,
  ): Promise<{ readonly body: ReadInput | undefined; readonly query: ReadInput | undefined }> {
    const { body, query } = this.inputsOf(context, request);
    const checked = this.contexts.of(request, context);
    const bodyInput = body ?? (hasUnexpectedBody(request) ? NoFields : undefined);
    return {
      query: query && (await readQueryInput(query, this.parametersOf(context, request, query), checked)),
      body: bodyInput && (refusedInput(request) ?? (await readBodyInput(bodyInput, request.body, checked))),
    };
  }

  /** A route that takes no query string has unknown parameters only. */
  private inputsOf(context: ExecutionContext, { url }: ApiRequest): RouteInputs {
    const inputs = this.declaredInputs(context);
    const hasUnknown = url.includes('?') && !isPublicRoute(this.reflector, context);
    return inputs.query || !hasUnknown ? inputs : { ...inputs, query: NoFields };
  }

  /** Mail programs, browsers and providers add parameters to the links of public routes: unknown ones are ignored there. */
  private parametersOf(context: ExecutionContext, { query }: ApiRequest, input: InputClass): object {
    if (!isPublicRoute(this.reflector, context)) return query;
    const declared = declaredFields(input);
    return Object.fromEntries(Object.entries(query).filter(([name]) => declared.has(name)));
  }

  private declaredInputs(context: ExecutionContext): RouteInputs {
    const handler = context.getHandler();
    const cached = this.inputs.get(handler);
    if (cached) return cached;
    const inputs = routeInputs({ controller: context.getClass().prototype as object, handler: handler.name });
    this.inputs.set(handler, inputs);
    return inputs;
  }
}

const hasUnexpectedBody = ({ method, body, refusedBody }: ApiRequest): boolean =>
  METHODS_WITH_BODY.has(method) && (body !== undefined || refusedBody !== undefined);

const refusedInput = ({ refusedBody: errors }: ApiRequest): ReadInput | undefined => errors && { value: {}, errors };
