import { SetMetadata } from '@nestjs/common';
import { type Route, routeMetadata } from '../routes/index.js';

const SUMMARY = Symbol('summary');

interface DeclaredSummary {
  readonly text: string;
  readonly id: string | undefined;
  readonly description: string | undefined;
}

/**
 * The summary of a route: a few words without a full stop. Handlers called list, create, get, update and delete need
 * none. `id` is the name of the operation in client libraries, if the one of {@link operationId} does not fit. A released
 * name is never changed. `description` takes the place of the handler's doc comment if what it says is computed.
 */
export const Summary = (text: string, id?: string, description?: string) =>
  SetMetadata(SUMMARY, { text, id, description } satisfies DeclaredSummary);

/** `email-accounts` → `email accounts`. */
export const humanize = (segment: string): string => segment.replaceAll('-', ' ');

/** `companies` → `company`. */
export const singular = (noun: string): string => noun.replace(/ies$/, 'y').replace(/s$/, '');
const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** The summaries that follow from the handler's name and the last fixed segment of the path. */
const PLAIN: Readonly<Record<string, (plural: string) => string>> = {
  list: (plural) => `List ${plural}`,
  create: (plural) => `Create ${withArticle(singular(plural))}`,
  get: (plural) => `Get ${withArticle(singular(plural))}`,
  update: (plural) => `Update ${withArticle(singular(plural))}`,
  delete: (plural) => `Delete ${withArticle(singular(plural))}`,
};

/** Returns the declared summary of a route, or the one that follows from its handler's name, or undefined. */
export function summaryOf(route: Route): string | undefined {
  const noun = fixedSegments(route).at(-1) ?? '';
  return declaredSummary(route)?.text ?? PLAIN[route.handler]?.(humanize(noun));
}

/**
 * Returns the name of an operation in client libraries: the declared one, or the handler's verb and the nouns of the path.
 * `list` of `/v1/campaigns/:id/steps` → `listCampaignSteps`; `start` of `/v1/campaigns/:id/start` → `startCampaign`.
 */
export function operationId(route: Route): string {
  const { handler } = route;
  const nouns = fixedSegments(route).map(camelCase);
  if (nouns.at(-1) === handler) nouns.pop();
  const last = nouns.pop() ?? '';
  const named = [...nouns.map(singular), handler === 'list' ? last : singular(last)].map(capitalize).join('');
  const id = declaredSummary(route)?.id ?? `${handler}${named}`;
  return route.method === 'PATCH' ? id.replace(/^[a-z]+/, 'patch') : id;
}

/** The name of the operation whose examples are those of a route: `PATCH` does what `PUT` does. */
export const exampleId = (route: Route): string =>
  operationId(route.method === 'PATCH' ? { ...route, method: 'PUT' } : route);

const fixedSegments = ({ path }: Route): string[] =>
  path.split('/').filter((segment) => segment && !segment.startsWith(':') && !/^v\d+$/.test(segment));

const camelCase = (segment: string): string => segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the declared description of a route, if it has one. */
export const descriptionOf = (route: Route): string | undefined => declaredSummary(route)?.description;

const declaredSummary = (route: Route): DeclaredSummary | undefined => routeMetadata(route, SUMMARY);
