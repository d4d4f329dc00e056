import fc from 'fast-check';
import type { ShownContact } from '../support/segment-evaluator.js';
import type { Snapshot } from './changing-workspace.js';
import { LIFECYCLE_STAGES, someText } from './random-contacts.js';

/** A query of `GET /segments/{id}/contacts`, without pagination. */
export interface Listing {
  readonly sort?: Sort;
  readonly direction?: 'asc' | 'desc';
  readonly search?: string;
  readonly status?: string;
  readonly lifecycle_stage?: string;
  readonly company_id?: number;
  readonly list_id?: number;
  readonly tag_id?: number;
  readonly has_email?: 0 | 1;
  readonly has_linkedin?: 0 | 1;
  readonly has_company?: 0 | 1;
}

const SORTS = [
  ...(['created_at', 'updated_at', 'first_name', 'last_name', 'email'] as const),
  ...(['linkedin_url', 'job_title', 'status', 'lifecycle_stage'] as const),
] as const;
type Sort = (typeof SORTS)[number];

/** A random listing that usually finds contacts. */
export const someListing = (snapshot: Snapshot): fc.Arbitrary<Listing> => {
  const words = [
    ...snapshot.contacts.flatMap(({ email, first_name, last_name, job_title, company }) => [
      email,
      first_name,
      last_name,
      job_title,
      company,
    ]),
    ...snapshot.companies.map(({ name }) => name),
  ].flatMap((text) => (text ?? '').split(/\s+/).filter(Boolean));
  const term = fc
    .tuple(fc.oneof(fc.constantFrom(...words), someText), fc.nat(5), fc.nat(8), fc.boolean())
    .map(([word, from, length, upper]) => {
      const part = [...word].slice(from % 3, (from % 3) + length + 1).join('');
      return upper ? part.toUpperCase() : part;
    });
  const flag = fc.constantFrom(0 as const, 1 as const);
  const filters = fc.record(
    {
      search: fc.oneof(
        { weight: 6, arbitrary: fc.array(term, { minLength: 1, maxLength: 2 }).map((terms) => terms.join(' ')) },
        { weight: 1, arbitrary: term.map((one) => `${`${one} `.repeat(6)} no-such-seventh-term`) },
      ),
      status: fc.constantFrom('active', 'unsubscribed', 'bounced'),
      lifecycle_stage: fc.constantFrom('subscriber', 'lead', 'customer'),
      company_id: fc.constantFrom(...snapshot.company_ids),
      list_id: fc.constantFrom(...snapshot.list_ids),
      tag_id: fc.constantFrom(...snapshot.tag_ids),
      has_email: flag,
      has_linkedin: flag,
      has_company: flag,
    },
    { requiredKeys: [] },
  );
  const order = fc.record(
    { sort: fc.constantFrom(...SORTS), direction: fc.constantFrom('asc' as const, 'desc' as const) },
    { requiredKeys: [] },
  );
  return fc.tuple(order, filters, fc.subarray(FILTERS, { maxLength: 2 })).map(([inOrder, all, used]) => ({
    ...inOrder,
    ...Object.fromEntries(Object.entries(all).filter(([name]) => used.includes(name))),
  }));
};

const FILTERS = [
  ...['search', 'search', 'status', 'lifecycle_stage', 'company_id'],
  ...['list_id', 'tag_id', 'has_email', 'has_linkedin', 'has_company'],
];

/** The contacts that the listing returns, in order (API v1, "Segments"). */
export const listed = (contacts: readonly ShownContact[], listing: Listing, snapshot: Snapshot): ShownContact[] =>
  contacts.filter((contact) => passes(contact, listing, snapshot)).sort(inOrder(listing));

function passes(contact: ShownContact, listing: Listing, snapshot: Snapshot): boolean {
  const { status, lifecycle_stage: stage, company_id: company, list_id: list, tag_id: tag } = listing;
  const has = (wanted: 0 | 1 | undefined, there: boolean): boolean => wanted === undefined || (wanted === 1) === there;
  return (
    (status === undefined || contact.status === status) &&
    (stage === undefined || contact.lifecycle_stage === stage) &&
    (company === undefined || contact.company_id === company) &&
    (list === undefined || contact.lists.some(({ id }) => id === list)) &&
    (tag === undefined || contact.tags.some(({ id }) => id === tag)) &&
    has(listing.has_email, contact.email !== '') &&
    has(listing.has_linkedin, Boolean(contact.linkedin_url)) &&
    has(listing.has_company, contact.company_id !== null || Boolean(contact.company)) &&
    isFound(contact, listing.search ?? '', snapshot)
  );
}

function isFound(contact: ShownContact, search: string, { companies }: Snapshot): boolean {
  const linked = companies.find(({ id }) => id === contact.company_id)?.name;
  const texts = [contact.email, contact.first_name, contact.last_name, contact.job_title, linked];
  const terms = search.split(/\s+/).filter(Boolean).slice(0, 6);
  return terms.every((term) => texts.some((text) => (text ?? '').toLowerCase().includes(term.toLowerCase())));
}

/** The values of each enum, in their order. */
const ENUMS: Partial<Record<Sort, readonly string[]>> = {
  status: ['active', 'unsubscribed', 'bounced', 'complained'],
  lifecycle_stage: LIFECYCLE_STAGES,
};

/** Null is last in both directions. Equal values are ordered by ID in the same direction. */
function inOrder({ sort = 'created_at', direction = 'desc' }: Listing) {
  const sign = direction === 'asc' ? 1 : -1;
  return (one: ShownContact, other: ShownContact): number => {
    const [first, second] = [one[sort], other[sort]];
    if (first === null || second === null) {
      return first === second ? sign * (one.id - other.id) : Number(first === null) - Number(second === null);
    }
    return sign * (compareValues(sort, first, second) || one.id - other.id);
  };
}

/** Enums are in the order of the API, instants in that of time, texts in that of the code points of their lower case. */
function compareValues(sort: Sort, one: string, other: string): number {
  const values = ENUMS[sort];
  if (values) return values.indexOf(one) - values.indexOf(other);
  if (sort.endsWith('_at')) return Date.parse(one) - Date.parse(other);
  // The bytes of UTF-8 have the order of the code points; the units of strings do not.
  return Buffer.compare(Buffer.from(one.toLowerCase()), Buffer.from(other.toLowerCase()));
}
