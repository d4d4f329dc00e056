import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { ServiceRequest } from '../platform/http/index.js';
import type { EmailAccount, EmailAccountType } from './email-account.entity.js';

const TYPES_BY_PREFIX: Readonly<Record<string, EmailAccountType>> = { smtp_: 'smtp', sendgrid_: 'sendgrid' };

/**
 * Removes the connection fields of other account types from the body of an update, before it is validated: they are
 * ignored, whatever their values (API v1, "Email accounts").
 */
export class OtherTypeFieldsInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    const account = request.records?.get('id');
    const body: unknown = request.body;
    if (isAccount(account) && typeof body === 'object' && body !== null && !Array.isArray(body)) {
      request.body = Object.fromEntries(Object.entries(body).filter(([name]) => isFieldOf(account.type, name)));
    }
    return next.handle();
  }
}

const isAccount = (record: object | undefined): record is EmailAccount => record !== undefined && 'type' in record;

function isFieldOf(type: EmailAccountType, name: string): boolean {
  const prefix = Object.keys(TYPES_BY_PREFIX).find((each) => name.startsWith(each));
  return prefix === undefined || TYPES_BY_PREFIX[prefix] === type;
}
