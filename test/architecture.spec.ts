import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getMetadataStorage } from 'class-validator';
import { type RouteInputs, routeInputs, summaryOf } from '@outreach/http-api/openapi';
import { ROUTE_RESPONSE, type RouteResponse } from '@outreach/http-api/responses';
import type { Route } from '@outreach/http-api/routes';
import { declarations } from '../src/app/declarations.js';
import { PERMISSIONS } from '../src/workspaces/index.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

/** Tables that do not belong to one workspace. */
const SHARED_TABLES = [
  'marketplace_templates',
  'marketplace_packs',
  'marketplace_pack_templates',
  'refusal_key',
  'workspaces',
  'quota_counters',
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
  describe('every route', () => {
    let routes: readonly Route[];
    beforeAll(async () => {
      ({ routes } = await declarations());
    });
    const failing = (isWrong: (route: Route) => boolean): string[] => routes.filter(isWrong).map(nameOf);

    it('is found by reflection', () => {
      expect(routes.map(nameOf)).toEqual(expect.arrayContaining(['GET /v1/me', 'POST /v1/contacts', 'GET /metrics']));
    });

    it('requires a permission or is declared public', () => {
      expect(failing((route) => !route.permission && !route.isPublic)).toEqual([]);
      expect(failing((route) => Boolean(route.permission) && route.isPublic)).toEqual([]);
    });

    it('requires one of the permissions that a token can have, and every permission is required by a route', () => {
      const required = new Set(routes.map(({ permission }) => permission).filter((permission) => permission !== 'any'));
      required.delete(undefined);
      expect([...required].sort()).toEqual([...PERMISSIONS].sort());
    });

    it('is public if and only if it is outside /v1', () => {
      expect(failing((route) => route.isPublic && route.path.startsWith('/v1'))).toEqual([]);
      expect(failing((route) => !route.isPublic && !route.path.startsWith('/v1'))).toEqual([]);
    });

    it('requires a read permission if it only reads data without secrets, otherwise a write permission', () => {
      const readers = ['POST /v1/blacklist/check', 'POST /v1/templates/:id/preview'];
      const secrets = ['GET /v1/inbound'];
      const isReader = (route: Route) =>
        readers.includes(nameOf(route)) || (route.method === 'GET' && !secrets.includes(nameOf(route)));
      const kindOf = (route: Route) => (isReader(route) ? 'read' : 'write');
      expect(
        failing((route) => route.permission?.endsWith(kindOf(route)) === false && route.permission !== 'any'),
      ).toEqual([]);
    });

    it('validates its body and query with a decorated class', () => {
      expect(failing((route) => !isDecorated(routeInputs(route).body))).toEqual([]);
      expect(failing((route) => !isDecorated(routeInputs(route).query))).toEqual([]);
    });

    it('has a ListQuery if it responds with a page', () => {
      const lists = routes.filter((route) => declaredResponse(route)?.envelope === 'page');
      expect(lists.length).toBeGreaterThan(5);
      for (const route of lists) {
        const prototype = routeInputs(route).query?.prototype as object | undefined;
        expect([nameOf(route), prototype && 'clauses' in prototype]).toEqual([nameOf(route), true]);
      }
    });

    it('declares its response if it is in /v1, and has a summary', () => {
      expect(failing((route) => route.path.startsWith('/v1') && declaredResponse(route) === undefined)).toEqual([]);
      expect(failing((route) => summaryOf(route) === undefined)).toEqual([]);
    });
  });

  describe('every table', () => {
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

    it('has workspace_id as the first column of its primary key', async () => {
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

    it('has workspace_id as the first column of its foreign keys, on both sides', async () => {
      const foreign = (await keys('f')).filter(({ table }) => !SHARED_TABLES.includes(table));
      expect(foreign.length).toBeGreaterThan(10);
      expect(foreign.filter(({ first, target }) => first !== 'workspace_id' || target !== 'workspace_id')).toEqual([]);
    });
  });

  it('declares all fair queues and their sizes in platform/concurrency/fair-queues.ts', async () => {
    const files = (await readdir('src', { recursive: true })).filter((file) => /(?<!spec)\.ts$/.test(file));
    const sources = await Promise.all(files.map((file) => readFile(join('src', file), 'utf8')));
    const queues = sources.join().match(/new FairQueue(<\w+>)?\([^)]*/g) ?? [];
    expect(queues.length).toBeGreaterThan(10);
    expect(queues.filter((queue) => !/\((FAIR_QUEUES\.|limits$)/.test(queue))).toEqual([]);
  });

  it('has no package, and no part of one or of platform/http, with a front door of more than 40 names', async () => {
    const root = join(import.meta.dirname, '..');
    const folders = ['packages', 'src/platform/http'];
    const paths = await Promise.all(
      folders.map(async (folder) =>
        (await readdir(join(root, folder), { recursive: true })).map((path) => join(folder, path)),
      ),
    );
    const files = paths.flat().filter((path) => /\/index\.ts$/.test(path));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const frontDoor = await readFile(join(root, file), 'utf8');
      const lists = [...frontDoor.matchAll(/export (?:type )?\{([^}]*)\} from/g)].map(([, list = '']) => list);
      const names = lists.flatMap((list) => list.split(',')).filter((name) => name.trim() !== '');
      expect({ file, isListed: !frontDoor.includes('export *'), hasMore: names.length > 40 }).toEqual({
        file,
        isListed: true,
        hasMore: false,
      });
    }
  });

  it('has no file or folder with a vague name', async () => {
    const entries = await readdir(join(import.meta.dirname, '../src'), { recursive: true });
    const wordsOf = (path: string) => path.split('/').flatMap((part) => part.split(/[.-]/));
    expect(entries.length).toBeGreaterThan(100);
    expect(entries.filter((path) => wordsOf(path).some((word) => VAGUE_NAME.test(word)))).toEqual([]);
  });
});
