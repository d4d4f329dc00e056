// What extension modules may import: docs/extending.md. A name is removed or changed only with a new major version.
export {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Param,
  Post,
  Put,
  Query,
} from '@nestjs/common';
export { Processor } from '@nestjs/bullmq';
export { Column, Entity, Index, type MigrationInterface, type QueryRunner, Unique } from 'typeorm';
export {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
export { Contact, type ContactsEvent } from '../contacts/index.js';
export { EgressPolicy } from '@outreach/egress';
export { LoginRefused, ProviderUnavailable, type Refusal, type SendResult } from '@outreach/mail-sessions';
export {
  type AccountInputs,
  type ComposedMail,
  type EventReport,
  type EventRequest,
  type LimitRule,
  type MailboxCredentials,
  type MailConnections,
  type MailProvider,
  type ProviderEvents,
  type ProviderSession,
  type Sending,
  type SimulatedEvent,
  type StoredAccount,
  type Vault,
} from '../email-accounts/providers/index.js';
export { Database, KnownIds, onViolation, Sql, sql, type WorkspacesInTime } from '../platform/database/index.js';
export {
  Conflict,
  defineReason,
  DomainError,
  type FieldErrors,
  Forbidden,
  NotFound,
  type Reason,
  RuleViolated,
  ValidationFailed,
} from '@outreach/http-errors';
export { DomainEvents, OnDomainEvent, PublicEvent } from '../platform/events/index.js';
export { defineExtension, type Extension, type ExtensionOptions } from '../platform/extensions/index.js';
export {
  IdList,
  IsEmailAddress,
  IsId,
  IsInstant,
  NullableField,
  NullableTextField,
  OptionalField,
  TextField,
} from '@outreach/http-api/fields';
export { Summary } from '@outreach/http-api/openapi';
export { LoadRecord } from '../platform/http/records/index.js';
export { IdParam } from '@outreach/http-api/requests';
export { InWorkspace, LoadedRecord } from '../platform/http/requests/index.js';
export {
  is,
  Responds,
  RespondsNoContent,
  RespondsPage,
  timestamp,
  view,
  type View,
} from '@outreach/http-api/responses';
export { AnyToken, type Permission, RequirePermission } from '@outreach/http-api/routes';
export { CheckedBy, type InputCheck, RefersTo } from '@outreach/http-api/validation';
export { Log } from '@outreach/logging';
export { drainOptions, JobQueue, Scheduled } from '@outreach/job-queue';
export { type ClockWork, DrainProcessor, GoesByClock, workspaceRotation } from '../platform/queue/index.js';
export {
  BelongsTo,
  BooleanQuery,
  IntegerQuery,
  ListQuery,
  type Page,
  ScopedRepository,
  WorkspaceEntity,
  WorkspaceScope,
} from '../platform/tenancy/index.js';
export type { Workspace } from '../workspaces/index.js';

/** The domain events of extension modules, which declare them by declaration merging: name → payload. */
export interface ExtensionEvents {}

/** The areas of the permissions of extension modules, which declare them by declaration merging: `{ notes: true }`. */
export interface ExtensionPermissions {}

declare module '../platform/events/index.js' {
  interface DomainEventMap extends ExtensionEvents {}
}

declare module '@outreach/http-api/routes' {
  interface PermissionAreas extends ExtensionPermissions {}
}
