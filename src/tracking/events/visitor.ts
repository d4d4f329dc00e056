import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { isKnownMachine } from './known-agents.js';
import type { BotReason } from './tracking-event.entity.js';

/** Who asked, as far as the request itself tells. */
export interface Visitor {
  readonly user_agent: string | null;
  /** Why it is no person; undefined where that remains to be seen. */
  readonly botReason: Extract<BotReason, 'head' | 'prefetch' | 'agent'> | undefined;
}

const MAX_USER_AGENT_LENGTH = 512;
/** Where browsers say that nobody has asked for the page yet. */
const PURPOSES = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];
const AHEAD_OF_TIME = /prefetch|prerender|preview/i;

/** What a request tells of who sent it. */
export function visitorOf({ method, headers }: Pick<Request, 'method' | 'headers'>): Visitor {
  const agent = headers['user-agent'] ?? '';
  return { user_agent: agent.slice(0, MAX_USER_AGENT_LENGTH) || null, botReason: botReason(method, headers, agent) };
}

function botReason(method: string, headers: IncomingHttpHeaders, agent: string): Visitor['botReason'] {
  if (method === 'HEAD') return 'head';
  if (PURPOSES.some((name) => AHEAD_OF_TIME.test(String(headers[name] ?? '')))) return 'prefetch';
  return isKnownMachine(agent) ? 'agent' : undefined;
}

/** The visitor behind a request. */
export const FromVisitor = createParamDecorator((_: unknown, context: ExecutionContext): Visitor =>
  visitorOf(context.switchToHttp().getRequest<Request>()),
);
