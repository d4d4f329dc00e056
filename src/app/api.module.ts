import { type DynamicModule, Module, type NestInterceptor } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { EnvelopeContext, EnvelopeInterceptor } from '@outreach/http-api/envelope';
import { InterceptorChain, PermissionGuard } from '@outreach/http-api/requests';
import { HttpModule, InputInterceptor } from '@outreach/http-api/server';
import { InputContexts } from '@outreach/http-api/validation';
import type { Config } from '../platform/config/index.js';
import {
  BodyGuard,
  LargeResponseGuard,
  NON_JSON_BODIES,
  RequestQueueGuard,
  RequestQueueInterceptor,
  UploadInterceptor,
} from '../platform/http/shares/index.js';
import { WorkspaceEnvelope } from '../platform/http/envelope/index.js';
import { ErrorFilter } from '../platform/http/error-responses/index.js';
import { PreconditionInterceptor, RecordInterceptor, Representations } from '../platform/http/records/index.js';
import { WorkspaceInputContexts } from '../platform/http/requests/index.js';
import { IdempotencyInterceptor, IdempotencyStore } from '../platform/idempotency/index.js';
import { QuotaGuard, QuotaModule } from '../platform/quota/index.js';
import { SandboxGuard } from '../sandbox/index.js';
import { TokenGuard, WorkspacesModule } from '../workspaces/index.js';
import { HealthController } from './health/health.controller.js';
import { HealthModule } from './health/health.module.js';
import { MonitoringController } from './health/monitoring.controller.js';
import { httpSetup } from './http-setup.js';

/** From the outermost to the innermost. */
const INTERCEPTORS = [
  RequestQueueInterceptor,
  UploadInterceptor,
  IdempotencyInterceptor,
  RecordInterceptor,
  PreconditionInterceptor,
  EnvelopeInterceptor,
  InputInterceptor,
];

/**
 * The API. The first guard only sets a header. The order of the others is the order of API v1: token (401), quota (429),
 * routes of sandboxes (404), permission (403), reading the body (400, 408, 413, 415). The interceptors follow in their order:
 * idempotency key (409), record (404), precondition (412), input (422).
 */
@Module({
  imports: [HealthModule, HttpModule, QuotaModule, WorkspacesModule],
  controllers: [HealthController],
  providers: [
    IdempotencyStore,
    Representations,
    { provide: EnvelopeContext, useClass: WorkspaceEnvelope },
    { provide: InputContexts, useClass: WorkspaceInputContexts },
    { provide: NON_JSON_BODIES, useValue: httpSetup.nonJsonBodies },
    { provide: APP_GUARD, useClass: TokenGuard },
    { provide: APP_GUARD, useClass: QuotaGuard },
    { provide: APP_GUARD, useClass: SandboxGuard },
    { provide: APP_GUARD, useClass: PermissionGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
    { provide: APP_GUARD, useClass: LargeResponseGuard },
    { provide: APP_GUARD, useClass: RequestQueueGuard },
    ...INTERCEPTORS,
    {
      provide: APP_INTERCEPTOR,
      inject: INTERCEPTORS,
      useFactory: (...interceptors: NestInterceptor[]) => new InterceptorChain(interceptors),
    },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
export class ApiModule {
  static on({ metrics_port: metricsPort }: Config): DynamicModule {
    return { module: ApiModule, controllers: metricsPort === undefined ? [MonitoringController] : [] };
  }
}
