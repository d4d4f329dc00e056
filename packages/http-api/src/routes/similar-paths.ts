import { editDistance } from '../similar-names/index.js';
import type { Route } from './routes.js';

/** An operation, as clients write it: `GET /v1/contacts/{id}`, with the segments by which its path is found. */
interface Candidate {
  readonly method: string;
  readonly name: string;
  readonly segments: readonly string[];
  /** A path without the prefix is the same with a small mistake. */
  readonly isPrefixMissing: boolean;
}

/** Returns the operation that a request with an unknown path probably means; undefined if none is similar. */
export type FindSimilarPath = (method: string, path: string) => string | undefined;

/**
 * Returns a function that finds an operation whose path has the same parameters and similar words, perhaps after another prefix.
 * It returns paths of the service only, and nothing of the request.
 */
export function similarPaths(routes: readonly Pick<Route, 'method' | 'path'>[]): FindSimilarPath {
  const candidates = routes.flatMap(candidatesOf);
  return (method, path) => {
    const segments = path.split('/').filter(Boolean);
    let best: { readonly name: string; readonly score: number } | undefined;
    for (const candidate of candidates) {
      const score = scoreOf(candidate, method, segments) ?? scoreOf(candidate, method, segments.slice(1));
      if (score !== undefined && (!best || score < best.score)) best = { name: candidate.name, score };
    }
    return best?.name;
  };
}

function candidatesOf({ method, path }: Pick<Route, 'method' | 'path'>): Candidate[] {
  const name = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
  const [prefix, ...rest] = path.split('/').filter(Boolean);
  const whole = { method, name, segments: [prefix ?? '', ...rest], isPrefixMissing: false };
  return rest.some(isFixed) ? [whole, { method, name, segments: rest, isPrefixMissing: true }] : [whole];
}

const isFixed = (segment: string): boolean => !segment.startsWith(':');

/** The lower, the more similar. The method decides between the operations of one path. */
function scoreOf(candidate: Candidate, method: string, segments: readonly string[]): number | undefined {
  if (segments.length !== candidate.segments.length) return undefined;
  let distance = candidate.isPrefixMissing ? 1 : 0;
  for (const [index, segment] of candidate.segments.entries()) {
    const between = isFixed(segment) ? smallDistance(segments[index] ?? '', segment) : 0;
    if (between === undefined) return undefined;
    distance += between;
  }
  return 2 * distance + Number(candidate.method !== method);
}

/** The distance of two segments, in upper or lower case; undefined if more than a third of the characters differ. */
function smallDistance(one: string, other: string): number | undefined {
  const max = one.length === 1 ? 0 : Math.max(1, Math.floor(one.length / 3));
  // Long segments of strangers are not compared.
  if (Math.abs(one.length - other.length) > max) return undefined;
  const distance = editDistance(one.toLowerCase(), other);
  return distance > max ? undefined : distance;
}
