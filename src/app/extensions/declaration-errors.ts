import { getMetadataArgsStorage } from 'typeorm';
import { Contact } from '../../contacts/index.js';
import { type Extension, prefixOf } from '../../platform/extensions/index.js';
import { type EntityClass, WorkspaceEntity } from '../../platform/tenancy/index.js';
import { providerErrors } from './provider-errors.js';

const NAME = /^[a-z][a-z0-9_]{1,39}$/;
const MIGRATION_NAME = /\d{13}$/;

/** Names that permissions, events, tables or the export of a contact have already. */
const RESERVED = new Set(
  (
    'activity api app blacklist blacklist_entry bullmq campaign campaigns companies company consents contact contacts ' +
    'custom_fields due email email_account email_accounts enrollment enrollments event events import imports list lists ' +
    'message messages outreach reply replies sandbox segment segments settings tag tags template templates token tokens ' +
    'webhook webhooks workspace workspaces'
  ).split(' '),
);

/** @returns what is wrong with what an extension declares. @param others those that are loaded before it */
export function declarationErrors(extension: Extension, others: readonly Extension[]): string[] {
  const { name, module, entities, migrations, events, queues } = extension;
  if (typeof name !== 'string' || !NAME.test(name)) {
    return ['its name must be 2 to 40 lower-case letters, digits and underscores, the first a letter'];
  }
  if (RESERVED.has(name)) return [`the name ${name} belongs to the service`];
  if (others.some((other) => other.name === name)) return [`another extension has the name ${name}`];
  const prefixes = others.flatMap((other) => [other.name, name].sort((one, two) => one.length - two.length).join('\n'));
  const overlap = prefixes.map((pair) => pair.split('\n')).find(([short, long]) => long?.startsWith(`${short}_`));
  if (overlap) return [`tables of ${overlap[1]} would be named like those of ${overlap[0]}`];
  const isIn = (prefix: string) => (text: unknown) => typeof text === 'string' && text.startsWith(prefix);
  return [
    ...(typeof module === 'function' || extension.mailProviders ? [] : ['it has no module']),
    ...Object.entries(extension.mailProviders ?? {}).flatMap(([type, provider]) =>
      providerErrors(name, type, provider),
    ),
    ...entities.flatMap((entity) => entityErrors(extension, entity)),
    ...migrations
      .filter((migration) => !MIGRATION_NAME.test(migration.name))
      .map((migration) => `the name of the migration ${migration.name} does not end with a time in milliseconds`),
    ...(entities.length > 0 && migrations.length === 0 ? ['it has entities, but no migrations'] : []),
    ...events.filter((event) => !isIn(`${name}.`)(event)).map((event) => `the event ${event} must begin with ${name}.`),
    ...queues
      .filter((queue) => queue !== name && !isIn(`${name}-`)(queue))
      .map((queue) => `the queue ${queue} must be ${name} or begin with ${name}-`),
  ];
}

function entityErrors(extension: Extension, entity: EntityClass<WorkspaceEntity>): string[] {
  const storage = getMetadataArgsStorage();
  const table = storage.tables.find(({ target }) => target === entity)?.name;
  if (!table) return [`${entity.name} is not an entity with the name of a table`];
  if (!(entity.prototype instanceof WorkspaceEntity)) return [`${entity.name} does not extend WorkspaceEntity`];
  if (!table.startsWith(prefixOf(extension))) return [`the table ${table} must begin with ${prefixOf(extension)}`];
  const hasContact = storage.columns.some(
    ({ target, propertyName }) => target === entity && propertyName === 'contact_id',
  );
  const isDeletedWithContact = storage.foreignKeys.some(
    ({ target, type, onDelete }) =>
      target === entity &&
      typeof type === 'function' &&
      (type as () => unknown)() === Contact &&
      onDelete === 'CASCADE',
  );
  if (!hasContact || isDeletedWithContact) return [];
  return [`${table} has contact_id, but not @BelongsTo(() => Contact, 'contact_id'), so erasures would leave its rows`];
}
