import { Injectable, SetMetadata } from '@nestjs/common';
import { MarkedMethods } from '../discovery/index.js';
import type { View } from '../http/index.js';
import type { WorkspaceScope } from '../tenancy/index.js';
import type { DomainEventMap, DomainEventName } from './domain-events.js';

/** How an event is told to other systems (API v1, "Events"). */
export interface Announcement<Row> {
  /** The name that other systems know; the event's own where absent. */
  readonly as?: string;
  /** When it happens: a sentence for the reference. */
  readonly when: string;
  /** What `data` holds. */
  readonly view: View<Row>;
  /** A row for the reference. */
  readonly example: Row;
}

/** An announcement with its names. */
export interface Announced extends Announcement<never> {
  /** The event inside the service. */
  readonly on: DomainEventName;
  /** The event as other systems know it. */
  readonly name: string;
}

/** Gives the rows that an event is about, in batches, in the order in which they are to be told. */
type Teller<Row, Payload> = (scope: WorkspaceScope, payload: Payload) => AsyncIterable<readonly Row[]>;

const ANNOUNCES = Symbol('announces');

/**
 * A provider method that tells an event of its module to other systems: it reads the rows, inside the transaction of the
 * cause, and the view shows them.
 */
export function Announces<Name extends DomainEventName, Row>(on: Name, announcement: Announcement<Row>) {
  return <T extends Teller<Row, DomainEventMap[Name]>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    const announced = { ...announcement, on, name: announcement.as ?? on };
    SetMetadata(ANNOUNCES, announced)(target, key, descriptor as TypedPropertyDescriptor<unknown>);
  };
}

/** What the modules announce. */
@Injectable()
export class Announcements {
  private found: ReadonlyMap<string, Told> | undefined;

  constructor(private readonly methods: MarkedMethods) {}

  /** All of them, by name. Works on providers that were never made, too. */
  all(): Announced[] {
    const marks = this.methods.with<Announced>(ANNOUNCES).map(({ mark }) => mark);
    return marks.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The announcement of an event inside the service, if other systems are told of it at all. */
  of(event: DomainEventName): Told | undefined {
    this.found ??= new Map(
      this.methods.with<Announced>(ANNOUNCES).map(({ mark, call }) => [mark.on, new Told(mark, call as never)]),
    );
    return this.found.get(event);
  }
}

/** One announcement, ready to be told. */
export class Told {
  constructor(
    private readonly announced: Announced,
    private readonly rows: Teller<never, unknown>,
  ) {}

  /** The event as other systems know it. */
  get name(): string {
    return this.announced.name;
  }

  /** The `data` of each event, in batches. Call it inside the transaction of the cause. */
  async *data(scope: WorkspaceScope, payload: unknown): AsyncGenerator<readonly object[]> {
    for await (const rows of this.rows(scope, payload)) yield rows.map((row) => this.announced.view.show(row));
  }
}
