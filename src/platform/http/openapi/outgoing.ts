import type { Schema, View } from '../view.js';
import type { Components } from './components.js';
import type { Operation } from './operation.js';

/** A POST that the service itself makes, to an address that a client has named. */
export interface OutgoingRequest {
  /** In words joined by dots. */
  readonly name: string;
  /** When it is made: sentences, in Markdown. */
  readonly when: string;
  /** What the body tells of. */
  readonly view: View<never>;
  /** A whole body. */
  readonly example: object;
}

/** The requests that the service makes (OpenAPI 3.1.0, "webhooks"). */
export interface OutgoingRequests {
  readonly tag: string;
  readonly requests: readonly OutgoingRequest[];
  /** The schema of a request's body, around that of what it tells of. */
  readonly body: (name: string, shown: Schema) => Schema;
  /** The headers that each of them has: name → description. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the receiver answers. */
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** The requests by name, as operations. */
export const outgoingOperations = (
  outgoing: OutgoingRequests,
  components: Components,
): Record<string, { post: Operation }> =>
  Object.fromEntries(
    outgoing.requests.map((request) => [request.name, { post: outgoingOperation(request, outgoing, components) }]),
  );

/** The headers by name, as parameters that the operations refer to. */
export const outgoingParameters = ({ headers }: OutgoingRequests): Record<string, object> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { name, in: 'header', required: true, schema: { type: 'string' }, description },
    ]),
  );

function outgoingOperation(request: OutgoingRequest, outgoing: OutgoingRequests, components: Components): Operation {
  const { name, when, view, example } = request;
  const schema = outgoing.body(name, components.view(view));
  return {
    operationId: `${name.replace(/\W(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`,
    tags: [outgoing.tag],
    summary: when.slice(0, when.indexOf('.')),
    description: when,
    security: [],
    parameters: Object.keys(outgoing.headers).map((header) => ({ $ref: `#/components/parameters/${header}` })),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: outgoing.responses,
  };
}
