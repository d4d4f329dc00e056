import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Visitor, visitorOf } from '@outreach/bot-detection';
import type { Request } from 'express';

/** Injects the visitor of the request. */
export const FromVisitor = createParamDecorator((_: unknown, context: ExecutionContext): Visitor =>
  visitorOf(context.switchToHttp().getRequest<Request>()),
);
