import type { OpenApiDocument } from '@outreach/http-api/openapi';

interface Schema {
  readonly properties?: Record<string, { readonly enum?: readonly unknown[] }>;
}

type Members = Record<string, object>;

/** The enums that extension modules add values to. */
const ENUMS = ['Permission', 'EventName', 'EmailAccountType'];

/** The reasons of errors: those of the service, and those that the extension modules declare. */
const REASONS = 'ErrorReason';

/**
 * @param base the document of the service, which is generated before the start
 * @param running what the modules of the process declare, with those of the extensions
 * @param values of enums of the base
 * @returns the document of the service with the routes, events and schemas of the extensions
 */
export function extendedReference(
  base: OpenApiDocument,
  running: OpenApiDocument,
  values: Readonly<Record<string, readonly string[]>>,
): OpenApiDocument {
  const document = base as unknown as Members & { components: Record<string, Members>; paths: Members };
  const added = running as unknown as typeof document;
  for (const [path, operations] of Object.entries(added.paths)) {
    document.paths[path] = { ...operations, ...document.paths[path] };
  }
  document.webhooks = { ...added.webhooks, ...document.webhooks };
  for (const [kind, members] of Object.entries(added.components)) {
    const known = document.components[kind] ?? {};
    for (const [name, member] of Object.entries(members)) if (name in known) addProperties(known[name] ?? {}, member);
    document.components[kind] = { ...members, ...known };
  }
  for (const name of ENUMS) Object.assign(document.components.schemas?.[name] ?? {}, { enum: values[name] });
  Object.assign(document.components.schemas?.[REASONS] ?? {}, added.components.schemas?.[REASONS]);
  return addTags(base, running);
}

/** Adds the properties and the values of enums that extensions add to a schema. */
function addProperties(base: Schema, { properties = {} }: Schema): void {
  const known = base.properties ?? {};
  for (const [name, property] of Object.entries(properties)) {
    const existing = (known[name] ??= property);
    if (existing.enum && property.enum) Object.assign(existing, { enum: property.enum });
  }
}

function addTags(base: OpenApiDocument, running: OpenApiDocument): OpenApiDocument {
  const tags = tagsOf(base);
  const known = new Set(tags.map(({ name }) => name));
  return { ...base, tags: [...tags, ...tagsOf(running).filter(({ name }) => !known.has(name))] };
}

const tagsOf = ({ tags }: OpenApiDocument) => (tags ?? []) as readonly { readonly name: string }[];
