import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { View } from '@outreach/http-api/responses';
import type { Sql } from '../database/index.js';
import type { EntityClass, WorkspaceEntity, WorkspaceScope } from '../tenancy/index.js';

/** What an extension module tells of a person in `GET /contacts/{id}/export`. */
export interface ExtensionPersonalData<Row extends object> {
  /** How a row is shown. */
  readonly view: View<Row>;
  /** The statement that reads the rows of one contact. */
  readonly rows: (scope: WorkspaceScope, contactId: number) => Sql;
}

/** What modules of the service let extension modules declare. They add it by declaration merging. */
export interface ExtensionParts {}

/** What an extension module declares. Names of tables, queues and events begin with its name. */
export interface ExtensionOptions<Row extends object = never> extends ExtensionParts {
  /**
   * Lower-case letters, digits and underscores, unique in an installation. The permissions of the extension are
   * `<name>:read` and `<name>:write`.
   */
  readonly name: string;
  /** The Nest module that API and worker import: controllers, services, public events. */
  readonly module?: Type;
  /** The Nest module that only workers import: processors of queues and scheduled tasks. */
  readonly workerModule?: Type;
  /** Its tables, `<name>_…`. */
  readonly entities?: readonly EntityClass<WorkspaceEntity>[];
  /** In the order in which they are applied. Class names end with a time in milliseconds, as TypeORM requires. */
  readonly migrations?: readonly (new () => MigrationInterface)[];
  /** The public names of its `@PublicEvent`s, `<name>.…`. */
  readonly events?: readonly string[];
  /** Its queues, `<name>` or `<name>-…`, each with one processor in the worker module. */
  readonly queues?: readonly string[];
  /** What it stores on a person, for the export of a contact. */
  readonly personalData?: ExtensionPersonalData<Row>;
}

/** A declared extension module. */
export type Extension = Required<Pick<ExtensionOptions, 'name' | 'entities' | 'migrations' | 'events' | 'queues'>> &
  Pick<ExtensionOptions, 'module' | 'workerModule' | 'personalData'> &
  ExtensionParts;

const defined = new WeakSet<object>();

/** Declares an extension module. Its file exports the result as default. The start of the service checks it. */
export function defineExtension<Row extends object = never>(options: ExtensionOptions<Row>): Extension {
  const extension = Object.freeze({ entities: [], migrations: [], events: [], queues: [], ...options }) as Extension;
  defined.add(extension);
  return extension;
}

/** Whether a value is what {@link defineExtension} has returned. */
export const isExtension = (value: unknown): value is Extension =>
  typeof value === 'object' && value !== null && defined.has(value);

/** What the names of the extension's tables begin with. */
export const prefixOf = ({ name }: Pick<Extension, 'name'>): string => `${name}_`;
