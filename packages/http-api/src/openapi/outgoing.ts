import { is, type Schema, type View } from '../responses/index.js';
import type { Components } from './components.js';
import type { Operation } from './operation.js';

/** A POST that the service makes to a URL of a client. */
export interface OutgoingRequest {
  /** Words joined by dots. */
  readonly name: string;
  /** When it is sent: sentences, in Markdown. */
  readonly when: string;
  /** The view of the record in the body. */
  readonly view: View<never>;
  /** A complete body. */
  readonly example: object;
}

/** The requests that the service sends (OpenAPI 3.1.0, "webhooks"). */
export interface OutgoingRequests {
  readonly tag: string;
  readonly requests: readonly OutgoingRequest[];
  /** Returns the schema of a body around the schema of its record. */
  readonly body: (name: string, shown: Schema) => Schema;
  /** The headers of every request: name → description. */
  readonly headers: Readonly<Record<string, string>>;
  /** The responses of the receiver. */
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** Returns the requests as operations, by name. */
export const outgoingOperations = (
  outgoing: OutgoingRequests,
  components: Components,
): Record<string, { post: Operation }> =>
  Object.fromEntries(
    outgoing.requests.map((request) => [request.name, { post: outgoingOperation(request, outgoing, components) }]),
  );

/** Returns the headers as parameters that the operations refer to, by name. */
export const outgoingParameters = ({ headers }: OutgoingRequests): Record<string, object> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { name, in: 'header', required: true, schema: { type: 'string' }, description },
    ]),
  );

function outgoingOperation(request: OutgoingRequest, outgoing: OutgoingRequests, components: Components): Operation {
  const { name, when, view, example } = request;
  const schema = components.resolve(outgoing.body(name, is.view(view)));
  return {
    operationId: `${name.replace(/[\W_](\w)/g, (_, letter: string) => letter.toUpperCase())}Event`,
    tags: [outgoing.tag],
    summary: when.slice(0, when.indexOf('.')),
    description: when,
    security: [],
    parameters: Object.keys(outgoing.headers).map((header) => ({ $ref: `#/components/parameters/${header}` })),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: outgoing.responses,
  };
}
