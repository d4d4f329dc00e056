import { LARGE_RESPONSE, ROUTE_RESPONSE, type RouteResponse, type Schema } from '@outreach/http-api/responses';
import type { Route } from '@outreach/http-api/routes';
import { declarations } from '../src/app/declarations.js';

/** Fields whose texts have at most a thousand characters, by the rules of their input, so that a row has less than 8 KB. */
const SHORT_TEXTS = new Set([
  'name',
  'email',
  'description',
  'from_email',
  'from_name',
  'smtp_host',
  'imap_host',
  'dkim_domain',
  'dkim_selector',
  'domain',
  'website',
  'industry',
  'color',
  'url',
  'subject',
  'reason',
  'last_error',
  'message_id',
  'from',
  'to',
  'label',
  'key',
]);

type Metadata = Record<string, object>;

const metadataOf = (key: symbol, { controller, handler }: Route): unknown =>
  Reflect.getMetadata(key, (controller as Metadata)[handler] ?? {});

/** Whether the values of a field are short: numbers, times and those of an enum always are. */
function isShort([name, schema]: [string, Schema]): boolean {
  const types = [schema.type].flat();
  if (types.includes('array')) return Boolean(schema.items?.enum);
  if (types.includes('object')) return false;
  return !types.includes('string') || Boolean(schema.enum ?? schema.format) || SHORT_TEXTS.has(name);
}

describe('a list whose rows can be large', () => {
  let lists: Route[];
  beforeAll(async () => {
    const { routes } = await declarations();
    lists = routes.filter((route) => {
      const response = metadataOf(ROUTE_RESPONSE, route) as RouteResponse | undefined;
      return route.method === 'GET' && (response?.envelope === 'page' || response?.view?.items);
    });
  });

  const namesOf = (routes: readonly Route[]): string[] => routes.map(({ path }) => path).sort();

  it('is declared as such, and no other list is', () => {
    const isLarge = (route: Route): boolean => {
      const { view } = metadataOf(ROUTE_RESPONSE, route) as RouteResponse;
      return !Object.entries((view?.items ?? view)?.shape ?? { unknown: { type: 'object' } }).every(isShort);
    };
    expect(lists.length).toBeGreaterThan(15);
    const declared = lists.filter((route) => metadataOf(LARGE_RESPONSE, route));
    expect(namesOf(declared)).toEqual(namesOf(lists.filter(isLarge)));
  });
});
