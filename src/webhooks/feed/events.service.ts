import { Injectable } from '@nestjs/common';
import { Signer } from '@outreach/keyring';
import { cursorText, purposeOf } from '../../platform/http/cursors/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { EventListQuery } from './event-list.query.js';
import type { EventPage } from './event.view.js';
import { hasUnnumbered, MAX_BATCHES_NUMBERED, numberEvents } from './number-events.queries.js';
import { type EventList, type EventRange, readEvents } from './read-events.queries.js';

/** Limits the duration of a request after which the events have not been read for long. */
const MAX_ROUNDS = 20;

/** Reads events in an order in which none appears before one that was read already. */
@Injectable()
export class Events {
  constructor(private readonly signer: Signer) {}

  /** @param path that of the request, for which cursors are signed */
  async page(scope: WorkspaceScope, query: EventListQuery, path: string): Promise<EventPage> {
    const { events, isFull } = await this.read(scope, { after: query.start, limit: query.limit, names: query.names });
    const last = events.at(-1)?.id;
    const page = { events, next_after: last ?? query.after ?? (query.cursor ? query.start : null) };
    if (query.cursor === undefined) return page;
    const sign = (id: number): string => cursorText(this.signer, purposeOf({ scope, path }, query), [null, id]);
    return { ...page, next_cursor: isFull ? sign(last ?? query.start) : null };
  }

  /**
   * Events are numbered before the page is read, so that it has all that were committed before the request. More follow if too
   * many had no IDs.
   */
  private async read(scope: WorkspaceScope, range: EventRange): Promise<EventList> {
    let isComplete = !(await hasUnnumbered(scope));
    for (let round = 0; round < MAX_ROUNDS && !isComplete; round += 1) {
      // They are committed before they are read: an ID that was shown stays that of its event.
      isComplete = (await numberEvents(scope)) < MAX_BATCHES_NUMBERED;
    }
    const { events, isFull } = await readEvents(scope, range);
    return { events, isFull: isFull || !isComplete };
  }
}
