import type { components, paths, webhooks } from './schema.js';

export type Schemas = components['schemas'];

/** A stable code of a rule that a request violates. */
export type ErrorReason = Schemas['ErrorReason'];

/** The routes below `/v1`: those that take an API token. */
export type ApiPaths = { [Path in keyof paths as Path extends `/v1/${string}` ? Path : never]: paths[Path] };

type JsonBody<Of> = Of extends { content: { 'application/json': infer Body } } ? Body : never;

/** The body of a webhook request. `event` says which type `data` has. */
export type WebhookEvent = {
  [Name in keyof webhooks]: webhooks[Name] extends { post: { requestBody?: infer Request } }
    ? JsonBody<Request>
    : never;
}[keyof webhooks];

/** An event of `GET /v1/events`. `event` says which type `data` has. */
export type FeedEvent = WebhookEvent extends infer One
  ? One extends { event: string; data: unknown }
    ? { id: number; event: One['event']; data: One['data']; created_at: string }
    : never
  : never;

export type EventName = WebhookEvent['event'];

type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;
type PageOf<Operation> = Operation extends { responses: { 200: infer Response } } ? JsonBody<Response> : never;
type ListOf<Path extends keyof ApiPaths> = ApiPaths[Path]['get'];
type Paging = 'page' | 'cursor' | 'after';

/** The paths of the lists that have pages or cursors. */
export type ListPath = {
  [Path in keyof ApiPaths]: PageOf<ListOf<Path>> extends { data: readonly unknown[]; meta: object }
    ? Extract<keyof QueryOf<ListOf<Path>>, 'page' | 'cursor'> extends never
      ? never
      : Path
    : never;
}[keyof ApiPaths];

/** A page of a list: `data`, `meta`, and `links` of most lists. */
export type Page<Path extends ListPath> = PageOf<ListOf<Path>>;

/** A record of a list. */
export type ListItem<Path extends ListPath> = Page<Path> extends { data: readonly (infer Item)[] } ? Item : never;

type PathParameters<Path extends ListPath> =
  ListOf<Path> extends { parameters: { path: infer Parameters } } ? { path: Parameters } : { path?: never };

/** Filters, sort and page size of a list. The client itself sets the page or the cursor. */
export interface ListQuery<Path extends ListPath> {
  query?: Omit<QueryOf<ListOf<Path>>, Paging>;
  signal?: AbortSignal;
}

export type ListOptions<Path extends ListPath> = ListQuery<Path> & PathParameters<Path>;

/** The options are required if the path has parameters. */
export type ListArguments<Path extends ListPath> =
  PathParameters<Path> extends { path: object } ? [options: ListOptions<Path>] : [options?: ListOptions<Path>];
