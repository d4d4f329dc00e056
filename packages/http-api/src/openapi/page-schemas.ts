import type { Schema } from '../responses/index.js';

const LINK: Schema = { type: 'string', format: 'uri' };
const NULLABLE_LINK: Schema = { type: ['string', 'null'], format: 'uri' };
const NULLABLE_COUNT: Schema = { type: ['integer', 'null'], minimum: 0 };

const NEXT_LINK: Schema = { ...NULLABLE_LINK, description: 'The next page; null on the last one.' };
const LINK_NAMES = ['first', 'last', 'prev', 'next'];
const COUNTS = {
  per_page: { type: 'integer', minimum: 1, maximum: 100, description: 'The largest number of records on a page.' },
  count: { type: 'integer', minimum: 0, description: 'The number of records on this page.' },
};
const COUNT_NAMES = ['current_page', 'last_page', 'per_page', 'total', 'count'];

export const PAGE_LINKS: Schema = {
  type: 'object',
  description: 'Absolute URLs of other pages, with the filters of this one.',
  properties: {
    first: { ...LINK, description: 'The first page.' },
    last: { ...LINK, description: 'The last page.' },
    prev: { ...NULLABLE_LINK, description: 'The previous page; null on the first one.' },
    next: NEXT_LINK,
  },
  required: LINK_NAMES,
};

export const PAGE_META: Schema = {
  type: 'object',
  properties: {
    current_page: { type: 'integer', minimum: 1, description: 'The number of this page, from 1.' },
    last_page: { type: 'integer', minimum: 1, description: 'The number of the last page.' },
    total: { type: 'integer', minimum: 0, description: 'The number of records on all pages.' },
    ...COUNTS,
  },
  required: COUNT_NAMES,
};

/** The links of a list that takes a cursor. */
export const CURSOR_PAGE_LINKS: Schema = {
  type: 'object',
  description: 'Absolute URLs of other pages, with the filters of this one. With `cursor`, only `next` has a value.',
  properties: {
    first: { ...NULLABLE_LINK, description: 'The first page; null with `cursor`.' },
    last: { ...NULLABLE_LINK, description: 'The last page; null with `cursor` and with `total=0`.' },
    prev: { ...NULLABLE_LINK, description: 'The previous page; null on the first one and with `cursor`.' },
    next: NEXT_LINK,
  },
  required: LINK_NAMES,
};

/** The numbers of a list that takes a cursor. */
export const CURSOR_PAGE_META: Schema = {
  type: 'object',
  properties: {
    current_page: {
      ...NULLABLE_COUNT,
      minimum: 1,
      description: 'The number of this page, from 1; null with `cursor`.',
    },
    last_page: { ...NULLABLE_COUNT, minimum: 1, description: 'The number of the last page; null with `total=0`.' },
    total: { ...NULLABLE_COUNT, description: 'The number of records on all pages; null with `total=0`.' },
    ...COUNTS,
    next_cursor: {
      type: ['string', 'null'],
      description: 'The `cursor` of the next page, null on the last one. Only with `cursor`.',
    },
  },
  required: COUNT_NAMES,
};
