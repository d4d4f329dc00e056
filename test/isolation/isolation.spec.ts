import { routeInputs } from '@outreach/http-api/openapi';
import { type Route, Routes } from '@outreach/http-api/routes';
import { describeApi } from '../../src/app/describe-api.js';
import type { ApiResponse } from '../support/api-client.js';
import { useService } from '../support/service.js';
import { BODIES } from './bodies.js';
import { type Reference, REFERENCES, REFERENCES_BY_VALUE } from './references.js';
import { storedRows } from './stored-rows.js';
import { CLIENT_KEYS, GLOBAL_RESOURCES, type Ids, WorkspaceFixture } from './workspace-fixture.js';

const PARAMETER = /:(\w+)/g;
/** `external_id` is a text that the client chooses. */
const ID_FIELD = /(?<!^external)(^|_)ids?$|^(tags|lists)$/;

/** `PATCH` does what `PUT` does. */
const nameOf = ({ method, path }: Route): string => `${method === 'PATCH' ? 'PUT' : method} ${path}`;
const parametersOf = ({ path }: Route): string[] => [...path.matchAll(PARAMETER)].map(([, name]) => String(name));
/** `/v1/contacts/:id/unsubscribe` → `/v1/contacts/:id` */
const resourceOf = ({ path }: Route): string => path.slice(0, path.lastIndexOf(':')) + /:\w+(?=[^:]*$)/.exec(path)?.[0];
const isGlobal = (route: Route): boolean => GLOBAL_RESOURCES.includes(resourceOf(route));
const isUpsert = (route: Route): boolean => route.method !== 'GET' && CLIENT_KEYS.includes(resourceOf(route));
const pathOf = ({ path }: Route, ids: Ids): string =>
  path.replace(/^\/v1/, '').replace(PARAMETER, (_, name: string) => encodeURIComponent(String(ids[name])));

describe('the API of one workspace', () => {
  const service = useService();
  let routes: Route[];
  let own: WorkspaceFixture;
  let theirs: WorkspaceFixture;
  beforeAll(async () => {
    routes = service.app
      .get(Routes)
      .all()
      .filter(({ path }) => path.startsWith('/v1/'));
    // Sandboxes have more routes than other workspaces.
    own = await new WorkspaceFixture(await service.sandbox(), service.database, 'mine').fill();
    theirs = await new WorkspaceFixture(await service.sandbox(), service.database, 'theirs').fill();
  });

  const stored = ({ api }: WorkspaceFixture) => storedRows(service.database, api.workspaceId);

  const call = (caller: WorkspaceFixture, route: Route, ids: Ids): Promise<ApiResponse> =>
    caller.api.call(route.method, pathOf(route, ids), BODIES[nameOf(route)]?.(caller));

  /** Every combination of IDs in which at least one belongs to the other workspace. */
  const idCombinations = (route: Route): Ids[] => {
    const [mine, others] = [own.idsOf(resourceOf(route)), theirs.idsOf(resourceOf(route))];
    const names = parametersOf(route);
    return Array.from({ length: 2 ** names.length - 1 }, (_, index) =>
      Object.fromEntries(
        names.map((name, position) => [name, ((index + 1) >> position) & 1 ? others[name] : mine[name]]),
      ),
    ) as Ids[];
  };

  it('is tested for every route that has a record in its path, with a body if the route takes one', () => {
    const withRecord = routes.filter((route) => parametersOf(route).length > 0);
    expect(withRecord.length).toBeGreaterThan(30);
    for (const route of withRecord) expect(Object.keys(theirs.idsOf(resourceOf(route)))).toEqual(parametersOf(route));
    const withBody = withRecord.filter((route) => routeInputs(route).body !== undefined);
    expect([...new Set(withBody.map(nameOf))].sort()).toEqual(Object.keys(BODIES).sort());
  });

  it("returns 404 for every path with another workspace's record, and changes nothing", async () => {
    const before = [await stored(own), await stored(theirs)];
    const isExcluded = (route: Route): boolean => isGlobal(route) || isUpsert(route);
    for (const route of routes.filter((each) => parametersOf(each).length > 0 && !isExcluded(each))) {
      for (const ids of idCombinations(route)) {
        const { status } = await call(own, route, ids);
        expect([nameOf(route), ids, status]).toEqual([nameOf(route), ids, 404]);
      }
      expect([nameOf(route), await stored(own), await stored(theirs)]).toEqual([nameOf(route), ...before]);
    }
  });

  it("returns nothing of another workspace's records from any GET route", async () => {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const ids = parametersOf(route).length > 0 ? own.idsOf(resourceOf(route)) : {};
      const response = await call(own, route, ids);
      expect([nameOf(route), response.status]).toEqual([nameOf(route), 200]);
      expect([nameOf(route), JSON.stringify(response.body)]).toEqual([
        nameOf(route),
        expect.not.stringContaining('theirs'),
      ]);
    }
  });

  it('is tested for every request field that contains the ID of another record', () => {
    const document = describeApi({ routes, publicEvents: [] }, 'http://localhost') as object as ApiDescription;
    const found = routes.flatMap((route) => fieldsOf(document, route).map((field) => `${nameOf(route)} ${field}`));
    const listed = Object.entries(REFERENCES).flatMap(([name, references]) =>
      references.map(({ field }) => `${name} ${field}`),
    );
    expect([...new Set(found)].sort()).toEqual(listed.sort());
  });

  it.each(
    [...Object.entries(REFERENCES), ...Object.entries(REFERENCES_BY_VALUE)].flatMap(([name, references]) =>
      references.map((reference) => [name, reference.field, reference] as const),
    ),
  )("refuses in %s another workspace's record in %s", async (name, field, reference) => {
    const route = routes.find((each) => nameOf(each) === name) as Route;
    const before = await stored(theirs);
    const response = await refer(route, reference);
    if (reference.instead) reference.instead(response);
    else {
      expect(response.status).toBe(422);
      expect(Object.keys(response.body.errors as object)).toEqual([field]);
    }
    expect(await stored(theirs)).toEqual(before);
  });

  const refer = (route: Route, { field, send }: Reference): Promise<ApiResponse> => {
    const path = pathOf(route, parametersOf(route).length > 0 ? own.idsOf(resourceOf(route)) : {});
    const value = send(theirs);
    return route.method === 'GET'
      ? own.api.get(`${path}?${field}=${String(value)}`)
      : own.api.call(route.method, path, value);
  };

  it("creates an own record by a key that another workspace's record has", async () => {
    const before = await stored(theirs);
    const upserts = routes.filter(isUpsert);
    expect(upserts.length).toBeGreaterThan(1);
    for (const route of upserts) {
      const { status, data } = await call(own, route, theirs.idsOf(resourceOf(route)));
      expect([nameOf(route), status]).toEqual([nameOf(route), 201]);
      expect((await own.api.delete(`/contacts/${data.id}`)).status).toBe(204);
    }
    expect(await stored(theirs)).toEqual(before);
  });

  it("reports another workspace's blacklist entry only as blacklisted, and cannot delete it", async () => {
    // The entries of sandboxes hold in no other workspace.
    const other = await service.client();
    const email = 'shared@blocked.example';
    await other.post('/blacklist', { email });
    const before = await storedRows(service.database, other.workspaceId);
    const check = () => own.api.post('/blacklist/check', { email });
    expect((await check()).data).toEqual({ email, is_blacklisted: true, reason: null, blacklisted_at: null });
    const bulk = await own.api.delete('/blacklist/bulk-delete', { emails: [email] });
    expect(bulk.data).toEqual({ deleted: 0, not_found: 1 });
    expect((await own.api.post('/blacklist', { email })).status).toBe(201);
    expect((await own.api.delete(`/blacklist/${email}`)).status).toBe(204);
    expect((await check()).data.is_blacklisted).toBe(true);
    expect(await storedRows(service.database, other.workspaceId)).toEqual(before);
  });

  it('creates copies from the marketplace only in the workspace that copies', async () => {
    const copies = routes.filter((route) => isGlobal(route) && route.method !== 'GET');
    expect(copies.map(nameOf).sort()).toEqual([
      'POST /v1/marketplace/packs/:id/copy',
      'POST /v1/marketplace/templates/:id/copy',
    ]);
    const before = await stored(theirs);
    const { body: seen } = await theirs.api.get('/templates');
    for (const route of copies) {
      const { status, data } = await call(own, route, own.idsOf(resourceOf(route)));
      expect([nameOf(route), status]).toEqual([nameOf(route), 201]);
      for (const { id } of [data].flat() as { id: number }[]) {
        expect((await own.api.get(`/templates/${id}`)).status).toBe(200);
        expect((await theirs.api.get(`/templates/${id}`)).status).toBe(404);
      }
    }
    expect(await stored(theirs)).toEqual(before);
    expect((await theirs.api.get('/templates')).body).toEqual(seen);
  });

  it('finds the same records for the workspace that they belong to', async () => {
    const byDepth = (one: Route, other: Route): number =>
      Number(one.method === 'DELETE') - Number(other.method === 'DELETE') || other.path.length - one.path.length;
    // A contact that is erased cannot be deleted.
    const isTested = (each: Route): boolean => parametersOf(each).length > 0 && !each.path.endsWith('/erase');
    for (const route of routes.filter(isTested).sort(byDepth)) {
      const { status } = await call(theirs, route, theirs.idsOf(resourceOf(route)));
      // Some are refused by a business rule, e.g. the only email account cannot be deleted.
      expect([nameOf(route), status < 300 || [403, 409, 422].includes(status)]).toEqual([nameOf(route), true]);
    }
  });
});

interface OpenApiSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly anyOf?: readonly OpenApiSchema[];
  readonly readOnly?: boolean;
}

interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> };
}

interface OpenApiOperation {
  readonly parameters: readonly { readonly in?: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: OpenApiSchema }>> };
}

/** The fields of a route's query and body, nested ones included, whose names say that they contain IDs. */
function fieldsOf(document: ApiDescription, { method, path }: Route): string[] {
  const template = Object.keys(document.paths).find(
    (each) => each.replaceAll(/\{\w+\}/g, '{}') === path.replaceAll(PARAMETER, '{}'),
  );
  const operation = document.paths[template ?? '']?.[method.toLowerCase()];
  if (!operation) throw new Error(`The document does not describe ${method} ${path}.`);
  const query = operation.parameters.flatMap((one) => (one.in === 'query' ? [one.name] : []));
  const contents = Object.values(operation.requestBody?.content ?? {});
  const inside = contents.flatMap(({ schema }) => idsInside(document, schema));
  return [...query.filter((name) => ID_FIELD.test(name)), ...inside];
}

function idsInside(document: ApiDescription, schema: OpenApiSchema, path = ''): string[] {
  const referred = schema.$ref && document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  if (referred) return idsInside(document, referred, path);
  const at = (name: string) => (path ? `${path}.${name}` : name);
  return Object.entries(schema.properties ?? {}).flatMap(([property, inner]) => {
    const name = property.replace('[]', '');
    if (inner.readOnly) return [];
    if (ID_FIELD.test(name)) return [at(inner.items ? `${name}.0` : name)];
    const nested = inner.anyOf?.find(({ $ref }) => $ref);
    if (nested) return idsInside(document, nested, at(name));
    return inner.items?.$ref ? idsInside(document, inner.items, at(`${name}.0`)) : [];
  });
}
