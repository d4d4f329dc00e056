import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { concatMap, type Observable, of } from 'rxjs';
import {
  Accepted,
  type AcceptedBody,
  LARGE_RESPONSE,
  setAccepted,
  matchesWeakly,
  type RecordPage,
  recordTag,
  ROUTE_RESPONSE,
  type RouteResponse,
} from '../responses/index.js';
import { EnvelopeContext } from './envelope-context.js';
import type { JsonParts } from './json-parts.js';
import { cursorLinks, pageLinks } from './page-links.js';
import type { ApiRequest } from '../requests/index.js';
import { respondsRecord, shownViews } from '../records/index.js';
import { Routes } from '../routes/index.js';
import { TaggedJson } from './tagged-json.js';

/**
 * Turns the result of a handler into JSON: by the route's view, in its envelope. The rows of a `@LargeResponse` are
 * encoded one by one, because a page of 100 of them would occupy the process for long.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  private views: ReadonlySet<unknown> | undefined;

  constructor(
    private readonly routes: Routes,
    private readonly reflector: Reflector,
    private readonly service: EnvelopeContext,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const declared = this.reflector.get<RouteResponse | undefined>(ROUTE_RESPONSE, context.getHandler());
    if (!declared || declared.mediaType) return next.handle();
    const isLarge =
      declared.envelope !== 'none' &&
      this.reflector.get<object | undefined>(LARGE_RESPONSE, context.getHandler()) !== undefined;
    const http = context.switchToHttp();
    return next.handle().pipe(
      concatMap((result: unknown) => {
        const { otherStatus } = declared;
        const response = http.getResponse<Response>();
        if (result instanceof Accepted) return of(this.accepted(declared, result, response));
        if (otherStatus?.when(result as never)) response.status(otherStatus.status);
        const request = http.getRequest<ApiRequest>();
        return isLarge
          ? this.largeEnvelope(declared, result, request, response)
          : of(this.tagged(declared, this.envelope(declared, result, request), request, response));
      }),
    );
  }

  /**
   * Sets the entity tag of a response with one record (RFC 9110, 8.8.3). That of a change is the one that `GET` of the
   * record has, also if the change responds with the bare record.
   */
  private tagged(declared: RouteResponse, body: unknown, { method, headers }: ApiRequest, response: Response): unknown {
    if (method === 'GET' || method === 'HEAD') {
      if (!respondsRecord(declared) || response.statusCode !== 200) {
        // Express would respond with 304 to `*`, although the response has no tag.
        delete headers['if-none-match'];
        return body;
      }
      const text = JSON.stringify(body);
      const tag = recordTag(declared.view, (body as { data: unknown }).data, text);
      response.setHeader('ETag', tag);
      return new TaggedJson(text, matchesWeakly(headers['if-none-match'] ?? '', tag));
    }
    if (declared.view && this.shown().has(declared.view)) {
      const { data } = declared.envelope === 'data' ? (body as { data: unknown }) : { data: body };
      response.setHeader('ETag', recordTag(declared.view, data));
    }
    return body;
  }

  private shown(): ReadonlySet<unknown> {
    this.views ??= shownViews(this.routes.all());
    return this.views;
  }

  private largeEnvelope(
    declared: RouteResponse,
    result: unknown,
    request: ApiRequest,
    response: Response,
  ): Promise<JsonParts> {
    const isPage = declared.envelope === 'page';
    const view = isPage ? declared.view : declared.view?.items;
    if (!view) throw new Error('A large response is a list of records.');
    const list = {
      rows: isPage ? (result as RecordPage<unknown>).data : (result as readonly unknown[]),
      toJson: (row: unknown) => view.toJson(row as never),
      beside: isPage ? this.besidePage(result as RecordPage<unknown>, request) : {},
    };
    return this.service.encodeRows(list, request, response);
  }

  private accepted({ accepted }: RouteResponse, { record }: Accepted<unknown>, response: Response): object {
    if (!accepted) throw new Error('The route does not declare the response to accepted work.');
    const body = { data: accepted.view.toJson(record as never) as AcceptedBody['data'] };
    setAccepted(response, accepted, this.service.publicUrl, body);
    return body;
  }

  private envelope(declared: RouteResponse, result: unknown, request: ApiRequest): unknown {
    const toJson = (row: unknown): unknown => (declared.view ? declared.view.toJson(row as never) : row);
    switch (declared.envelope) {
      case 'none':
        return declared.status === 204 ? undefined : toJson(result);
      case 'data':
        return { data: toJson(result), ...(declared.message ? { message: declared.message(result as never) } : {}) };
      case 'page':
        return this.page(result as RecordPage<unknown>, toJson, request);
      default:
        return declared.envelope satisfies never;
    }
  }

  private page(page: RecordPage<unknown>, toJson: (row: unknown) => unknown, request: ApiRequest): object {
    return { data: page.data.map(toJson), ...this.besidePage(page, request) };
  }

  private besidePage(page: RecordPage<unknown>, request: ApiRequest): object {
    const { data, total, query } = page;
    const lastPage = total === null ? null : Math.max(1, Math.ceil(total / query.per_page));
    const counts = { last_page: lastPage, per_page: query.per_page, total, count: data.length };
    const [url, search] = [`${this.service.publicUrl}${request.path}`, queryOf(request.url)];
    if (query.position !== undefined) {
      const cursor = this.service.nextCursor(page, request);
      return { links: cursorLinks(url, search, cursor), meta: { current_page: null, ...counts, next_cursor: cursor } };
    }
    const position = { page: query.page, lastPage, hasNext: page.next !== null };
    return { links: pageLinks(url, search, position), meta: { current_page: query.page, ...counts } };
  }
}

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
