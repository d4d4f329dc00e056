/** Where the other pages of a list are; `prev` and `next` are null at the ends. */
export interface PageLinks {
  readonly first: string;
  readonly last: string;
  readonly prev: string | null;
  readonly next: string | null;
}

/**
 * Absolute links that carry every other query parameter of the request. The page before one past the end is the last.
 * @param url the address of the request as clients reach it
 */
export function pageLinks(url: string, page: number, lastPage: number): PageLinks {
  const [path, query = ''] = url.split('?', 2) as [string, string?];
  const others = query.split('&').filter((pair) => pair && !/^page(=|$)/.test(pair));
  const at = (number: number): string => `${path}?${[...others, `page=${number}`].join('&')}`;
  return {
    first: at(1),
    last: at(lastPage),
    prev: page > 1 ? at(Math.min(page - 1, lastPage)) : null,
    next: page < lastPage ? at(page + 1) : null,
  };
}
