import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { BotReason } from '../../sending/index.js';
import { isKnownBot } from './known-agents.js';

export interface Visitor {
  readonly user_agent: string | null;
  /** Why the request does not count; undefined if the request alone does not show it. */
  readonly botReason: Extract<BotReason, 'head' | 'prefetch' | 'agent'> | undefined;
}

const MAX_USER_AGENT_LENGTH = 512;
/** Headers with which browsers mark requests that no user has made. */
const PURPOSES = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];
const AHEAD_OF_TIME = /prefetch|prerender|preview/i;

/** Returns the user agent, and the bot reason if the request shows one. */
export function visitorOf({ method, headers }: Pick<Request, 'method' | 'headers'>): Visitor {
  const agent = (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH);
  return { user_agent: agent || null, botReason: botReason(method, headers, agent) };
}

function botReason(method: string, headers: IncomingHttpHeaders, agent: string): Visitor['botReason'] {
  if (method === 'HEAD') return 'head';
  if (PURPOSES.some((name) => AHEAD_OF_TIME.test(String(headers[name] ?? '')))) return 'prefetch';
  return isKnownBot(agent) ? 'agent' : undefined;
}

/** Injects the visitor of the request. */
export const FromVisitor = createParamDecorator((_: unknown, context: ExecutionContext): Visitor =>
  visitorOf(context.switchToHttp().getRequest<Request>()),
);
