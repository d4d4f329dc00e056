import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { JsonParts } from './json-parts.js';
import { TaggedJson } from './tagged-json.js';

type Handler = (...args: unknown[]) => unknown;
type Register = (path: unknown, handler: Handler) => unknown;

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Nest's adapter for Express. `close` also waits for the handlers whose clients have closed their connections: they run
 * on, and need the database, which Nest closes after the adapter. A handler is the whole route, with guards and
 * interceptors. It also writes `JsonParts` and `TaggedJson`.
 */
export class CountingAdapter extends ExpressAdapter {
  private readonly running = new Set<Promise<unknown>>();

  constructor() {
    super();
    for (const method of METHODS) {
      const register = this[method].bind(this) as Register;
      Object.assign(this, { [method]: (path: unknown, handler: Handler) => register(path, this.counted(handler)) });
    }
  }

  override async close(): Promise<void> {
    await super.close();
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof TaggedJson) return body.write(response);
    if (!(body instanceof JsonParts)) return super.reply(response, body, statusCode);
    if (statusCode) response.status(statusCode);
    return body.write(response);
  }

  private counted(handler: Handler): Handler {
    return (...args) => {
      const ended = Promise.resolve(handler(...args)).finally(() => this.running.delete(ended));
      this.running.add(ended);
      return ended;
    };
  }
}
