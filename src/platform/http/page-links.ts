/** Absolute URLs of the other pages of a list. `prev` is null on the first page, `next` on the last. */
export interface PageLinks {
  readonly first: string;
  readonly last: string;
  readonly prev: string | null;
  readonly next: string | null;
}

/** The number of a page, from 1, and of the last one. */
interface PagePosition {
  readonly page: number;
  readonly lastPage: number;
}

/**
 * Returns links that have every other query parameter of the request unchanged. `prev` of a page past the end is the
 * last page.
 * @param url of the list as clients reach it, without its query
 * @param query of the request, without the question mark
 */
export function pageLinks(url: string, query: string, { page, lastPage }: PagePosition): PageLinks {
  const others = query.split('&').filter((pair) => pair && !new URLSearchParams(pair).has('page'));
  const at = (number: number): string => `${url}?${[...others, `page=${number}`].join('&')}`;
  return {
    first: at(1),
    last: at(lastPage),
    prev: page > 1 ? at(Math.min(page - 1, lastPage)) : null,
    next: page < lastPage ? at(page + 1) : null,
  };
}
