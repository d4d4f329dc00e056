import { SetMetadata } from '@nestjs/common';
import type { Route } from '../routes.js';

const SUMMARY = Symbol('summary');

/** What a route does, in a few words without a full stop. Plain list, create, get, update and delete routes need none. */
export const Summary = (text: string) => SetMetadata(SUMMARY, text);

/** `email-accounts` → `email accounts`. */
export const humanize = (segment: string): string => segment.replaceAll('-', ' ');

const singular = (noun: string): string => noun.replace(/ies$/, 'y').replace(/s$/, '');
const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** How plain routes are named: by their handler and the last word of their path. */
const PLAIN: Readonly<Record<string, (plural: string) => string>> = {
  list: (plural) => `List ${plural}`,
  create: (plural) => `Create ${withArticle(singular(plural))}`,
  get: (plural) => `Get ${withArticle(singular(plural))}`,
  update: (plural) => `Update ${withArticle(singular(plural))}`,
  delete: (plural) => `Delete ${withArticle(singular(plural))}`,
};

/** The summary that a route declares, else the one that its handler's name means; undefined where that means nothing. */
export function summaryOf({ controller, handler, path }: Route): string | undefined {
  const method = (controller as Readonly<Record<string, object | undefined>>)[handler];
  const declared: unknown = method && Reflect.getMetadata(SUMMARY, method);
  if (typeof declared === 'string') return declared;
  const noun = path.split('/').findLast((segment) => segment && !segment.startsWith(':'));
  return PLAIN[handler]?.(humanize(noun ?? ''));
}
