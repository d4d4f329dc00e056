import { payloadOf, type Signer } from '@outreach/keyring';
import type { ListPosition, WorkspaceScope } from '../../tenancy/index.js';

/** The list that a cursor is of. */
export interface CursorOwner {
  readonly scope: Pick<WorkspaceScope, 'workspace_id'>;
  /** The path of the request. */
  readonly path: string;
}

/** The parameters that may change from page to page. */
const CHANGEABLE: ReadonlySet<string> = new Set(['after', 'cursor', 'limit', 'page', 'per_page', 'total']);

/**
 * Returns what a cursor is signed for: the list, its sort and its filters. With others, it does not verify.
 * @param query the instance of the query class, with its defaults
 */
export function purposeOf({ scope, path }: CursorOwner, query: object): string {
  const parameters = Object.entries(query as Readonly<Record<string, unknown>>)
    .filter(([name, value]) => value !== undefined && !CHANGEABLE.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const list = path.toLowerCase().replace(/\/+$/, '');
  return JSON.stringify(['cursor', scope.workspace_id, list, parameters]);
}

/** Returns a cursor: the position, signed, so that only a cursor of this service reaches the database. */
export const cursorText = (signer: Signer, purpose: string, position: ListPosition): string =>
  signer.sign(purpose, Buffer.from(JSON.stringify(position)));

/** Returns the position in a cursor whose signature is verified; null for the empty one. */
export const positionIn = (cursor: string): ListPosition | null =>
  cursor === '' ? null : (JSON.parse(payloadOf(cursor).toString()) as ListPosition);
