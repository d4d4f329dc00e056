import { createHash } from 'node:crypto';
import type { View } from './view.js';

/** An entity tag in a list of them (RFC 9110, 8.8.3). */
const ENTITY_TAG = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Returns the strong entity tag of a body (RFC 9110, 8.8.3): the quoted SHA-1 of its bytes in base64url. */
export const entityTag = (body: string | Buffer): string => `"${createHash('sha1').update(body).digest('base64url')}"`;

/**
 * Returns the entity tag of a response with a record.
 * @param data as the view has returned it
 * @param text the JSON of the whole body, if the caller has it
 */
export function recordTag(view: View<never> | undefined, data: unknown, text?: string): string {
  if (!view?.untagged) return entityTag(text ?? JSON.stringify({ data }));
  const untagged = Object.fromEntries(view.untagged.map((name) => [name, undefined]));
  return entityTag(JSON.stringify({ data: { ...(data as object), ...untagged } }));
}

/**
 * Whether an `If-None-Match` is false for a record: it is `*`, or one of its tags is equal by the weak comparison, which
 * ignores `W/` (RFC 9110, 13.1.2).
 * @param current undefined if the record does not exist
 */
export const matchesWeakly = (header: string, current: string | undefined): boolean =>
  current !== undefined && (header.trim() === '*' || tagsOf(header).some(({ tag }) => tag === current));

/**
 * Whether an `If-Match` is true for a record: it is `*`, or one of its tags is equal by the strong comparison, for which a
 * weak tag equals nothing (RFC 9110, 13.1.1).
 * @param current undefined if the record does not exist
 */
export const matchesStrongly = (header: string, current: string | undefined): boolean =>
  current !== undefined &&
  (header.trim() === '*' || tagsOf(header).some(({ tag, isWeak }) => !isWeak && tag === current));

const tagsOf = (header: string): { readonly tag: string; readonly isWeak: boolean }[] =>
  [...header.matchAll(ENTITY_TAG)].map(([, weak, tag = '']) => ({ tag, isWeak: weak !== undefined }));
