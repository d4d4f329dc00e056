import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getMetadataStorage } from 'class-validator';
import { declarations } from '../src/app/declarations.js';
import {
  ROUTE_RESPONSE,
  type RouteResponse,
  type Route,
  type RouteInputs,
  routeInputs,
  summaryOf,
} from '../src/platform/http/index.js';
import { PERMISSIONS } from '../src/workspaces/index.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

/** What its tables are for is no tenant's: who the tenants are, what counts requests, what runs when. */
const SHARED_TABLES = [
  'marketplace_templates',
  'marketplace_packs',
  'marketplace_pack_templates',
  'workspaces',
  'quota_counters',
  'idempotency_keys',
  'scheduled_tasks',
  'migrations',
  'typeorm_metadata',
];
const VAGUE_NAME = /^(utils?|helpers?|common|misc|base|shared)$/;

type Input = NonNullable<RouteInputs['body']>;

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const declaredResponse = ({ controller, handler }: Route): RouteResponse | undefined =>
  Reflect.getMetadata(ROUTE_RESPONSE, (controller as Record<string, object>)[handler] ?? {}) as
    RouteResponse | undefined;

const isDecorated = (input: Input | undefined): boolean =>
  input === undefined || getMetadataStorage().getTargetValidationMetadatas(input, '', true, false).length > 0;

describe('the architecture', () => {
  describe('of routes', () => {
    let routes: readonly Route[];
    beforeAll(async () => {
      ({ routes } = await declarations());
    });
    const failing = (isWrong: (route: Route) => boolean): string[] => routes.filter(isWrong).map(nameOf);

    it('finds them', () => {
      expect(routes.map(nameOf)).toEqual(expect.arrayContaining(['GET /v1/me', 'POST /v1/contacts', 'GET /metrics']));
    });

    it('closes each by a permission, or declares it public', () => {
      expect(failing((route) => !route.permission && !route.isPublic)).toEqual([]);
      expect(failing((route) => Boolean(route.permission) && route.isPublic)).toEqual([]);
    });

    it('requires every permission that a token can have, and no other', () => {
      const required = new Set(routes.map(({ permission }) => permission).filter((permission) => permission !== 'any'));
      required.delete(undefined);
      expect([...required].sort()).toEqual([...PERMISSIONS].sort());
    });

    it('opens nothing of the API to the public', () => {
      expect(failing((route) => route.isPublic && route.path.startsWith('/v1'))).toEqual([]);
      expect(failing((route) => !route.isPublic && !route.path.startsWith('/v1'))).toEqual([]);
    });

    it('asks reading routes for a reading permission and the others for a writing one', () => {
      const readers = ['POST /v1/blacklist/check', 'POST /v1/templates/:id/preview'];
      const kindOf = (route: Route) => (route.method === 'GET' || readers.includes(nameOf(route)) ? 'read' : 'write');
      expect(
        failing((route) => route.permission?.endsWith(kindOf(route)) === false && route.permission !== 'any'),
      ).toEqual([]);
    });

    it('validates every body and query by a decorated class', () => {
      expect(failing((route) => !isDecorated(routeInputs(route).body))).toEqual([]);
      expect(failing((route) => !isDecorated(routeInputs(route).query))).toEqual([]);
    });

    it('declares every paginated list by a ListQuery', () => {
      const lists = routes.filter((route) => declaredResponse(route)?.envelope === 'page');
      expect(lists.length).toBeGreaterThan(5);
      for (const route of lists) {
        const prototype = routeInputs(route).query?.prototype as object | undefined;
        expect([nameOf(route), prototype && 'clauses' in prototype && 'references' in prototype]).toEqual([
          nameOf(route),
          true,
        ]);
      }
    });

    it('declares what every route of the API answers, and says what it does', () => {
      expect(failing((route) => route.path.startsWith('/v1') && declaredResponse(route) === undefined)).toEqual([]);
      expect(failing((route) => summaryOf(route) === undefined)).toEqual([]);
    });
  });

  describe('of tables', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase();
    });
    afterAll(() => database.drop());

    const keys = (kind: 'p' | 'f') =>
      database.query<{ table: string; first: string; target: string | null }>(
        `SELECT con.conrelid::regclass::text AS table, own.attname AS first, other.attname AS target
         FROM pg_constraint con
         JOIN pg_attribute own ON own.attrelid = con.conrelid AND own.attnum = con.conkey[1]
         LEFT JOIN pg_attribute other ON other.attrelid = con.confrelid AND other.attnum = con.confkey[1]
         WHERE con.contype = $1 AND con.connamespace = 'public'::regnamespace`,
        [kind],
      );

    it('begins every primary key with the workspace', async () => {
      const primary = await keys('p');
      const tenants = primary.filter(({ table }) => !SHARED_TABLES.includes(table));
      expect(tenants.length).toBeGreaterThan(10);
      expect(tenants.filter(({ first }) => first !== 'workspace_id')).toEqual([]);
      const tables = await database.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
      );
      const keyed = new Set(primary.map(({ table }) => table));
      expect(
        tables.map(({ name }) => name).filter((name) => !keyed.has(name) && !SHARED_TABLES.includes(name)),
      ).toEqual([]);
    });

    it('begins every foreign key with the workspace, on both sides', async () => {
      const foreign = (await keys('f')).filter(({ table }) => !SHARED_TABLES.includes(table));
      expect(foreign.length).toBeGreaterThan(10);
      expect(foreign.filter(({ first, target }) => first !== 'workspace_id' || target !== 'workspace_id')).toEqual([]);
    });
  });

  it('calls no file or folder by what says nothing', async () => {
    const entries = await readdir(join(import.meta.dirname, '../src'), { recursive: true });
    const wordsOf = (path: string) => path.split('/').flatMap((part) => part.split(/[.-]/));
    expect(entries.length).toBeGreaterThan(100);
    expect(entries.filter((path) => wordsOf(path).some((word) => VAGUE_NAME.test(word)))).toEqual([]);
  });
});
