import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { CONFIG, type Config } from '../config/index.js';
import type { Page } from '../tenancy/index.js';
import { pageLinks } from './page-links.js';
import { ROUTE_RESPONSE, type RouteResponse } from './responds.decorator.js';

/** Turns the result of a handler into JSON: by the route's view, in its envelope (API v1, "Pagination envelope"). */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const declared = this.reflector.get<RouteResponse | undefined>(ROUTE_RESPONSE, context.getHandler());
    if (!declared || declared.mediaType) return next.handle();
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((result: unknown) => {
        const { otherStatus } = declared;
        if (otherStatus?.when(result as never)) http.getResponse<Response>().status(otherStatus.status);
        return this.envelope(declared, result, http.getRequest<Request>());
      }),
    );
  }

  private envelope(declared: RouteResponse, result: unknown, request: Request): unknown {
    const toJson = (row: unknown): unknown => (declared.view ? declared.view.toJson(row as never) : row);
    switch (declared.envelope) {
      case 'none':
        return declared.status === 204 ? undefined : toJson(result);
      case 'data':
        return { data: toJson(result), ...(declared.message ? { message: declared.message(result as never) } : {}) };
      case 'page':
        return this.page(result as Page<unknown>, toJson, request);
      default:
        return declared.envelope satisfies never;
    }
  }

  private page({ data, total, query }: Page<unknown>, toJson: (row: unknown) => unknown, request: Request): object {
    const lastPage = Math.max(1, Math.ceil(total / query.per_page));
    return {
      data: data.map(toJson),
      links: pageLinks(`${this.config.public_url}${request.path}`, queryOf(request.url), {
        page: query.page,
        lastPage,
      }),
      meta: {
        current_page: query.page,
        last_page: lastPage,
        per_page: query.per_page,
        total,
        count: data.length,
      },
    };
  }
}

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
