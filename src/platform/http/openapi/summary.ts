import { SetMetadata } from '@nestjs/common';
import type { Route } from '../routes.js';

const SUMMARY = Symbol('summary');

/**
 * The summary of a route: a few words without a full stop. Handlers called list, create, get, update and delete need
 * none.
 */
export const Summary = (text: string) => SetMetadata(SUMMARY, text);

/** `email-accounts` → `email accounts`. */
export const humanize = (segment: string): string => segment.replaceAll('-', ' ');

const singular = (noun: string): string => noun.replace(/ies$/, 'y').replace(/s$/, '');
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
export function summaryOf({ controller, handler, path }: Route): string | undefined {
  const method = (controller as Readonly<Record<string, object | undefined>>)[handler];
  const declared: unknown = method && Reflect.getMetadata(SUMMARY, method);
  if (typeof declared === 'string') return declared;
  const noun = path.split('/').findLast((segment) => segment && !segment.startsWith(':'));
  return PLAIN[handler]?.(humanize(noun ?? ''));
}
