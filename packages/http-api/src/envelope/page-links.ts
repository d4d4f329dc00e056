/** Absolute URLs of the other pages of a list. `prev` is null on the first page, `next` on the last. */
export interface PageLinks {
  /** Null for a page with a cursor. */
  readonly first: string | null;
  /** Null for a page with a cursor, and if the records are not counted. */
  readonly last: string | null;
  readonly prev: string | null;
  readonly next: string | null;
}

/** The number of a page, from 1, and of the last one. */
interface PagePosition {
  readonly page: number;
  /** Null if the records are not counted: then `hasNext` says whether another page follows. */
  readonly lastPage: number | null;
  readonly hasNext?: boolean;
}

/**
 * Returns links that have every other query parameter of the request unchanged. `prev` of a page past the end is the
 * last page.
 * @param url of the list as clients reach it, without its query
 * @param query of the request, without the question mark
 */
export function pageLinks(url: string, query: string, { page, lastPage, hasNext = false }: PagePosition): PageLinks {
  const at = (number: number): string => linkTo(url, query, 'page', String(number));
  return {
    first: at(1),
    last: lastPage === null ? null : at(lastPage),
    prev: page > 1 ? at(Math.min(page - 1, lastPage ?? page - 1)) : null,
    next: (lastPage === null ? hasNext : page < lastPage) ? at(page + 1) : null,
  };
}

/** Returns the links of a page with a cursor, which has only the next one. @param cursor null on the last page */
export const cursorLinks = (url: string, query: string, cursor: string | null): PageLinks => ({
  first: null,
  last: null,
  prev: null,
  next: cursor === null ? null : linkTo(url, query, 'cursor', cursor),
});

function linkTo(url: string, query: string, name: string, value: string): string {
  const others = query.split('&').filter((pair) => pair && !new URLSearchParams(pair).has(name));
  return `${url}?${[...others, `${name}=${value}`].join('&')}`;
}
