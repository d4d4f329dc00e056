import { Injectable, SetMetadata } from '@nestjs/common';
import { DecoratedMethods } from '@outreach/decorated-methods';
import type { View } from '@outreach/http-api/responses';
import type { Sql } from '../database/index.js';
import type { WorkspaceScope } from '../tenancy/index.js';
import type { DomainEventMap, DomainEventName } from './domain-events.js';

/** How an event is published to other systems (API v1, "Events"). */
export interface PublicEventOptions<Row> {
  /** The name that other systems know, if it is not the name of the domain event. */
  readonly publicName?: string;
  /** When the event happens: a sentence for the reference. */
  readonly when: string;
  /** The content of `data`. */
  readonly view: View<Row>;
  /** An example row for the reference. */
  readonly example: Row;
}

/**
 * Yields statements that return what the view would show, without reading it: `contact_id`, by which the rows are ordered,
 * and `data` as JSON text. Each returns a limited number of rows.
 */
type EncodedReader<Payload> = (scope: WorkspaceScope, payload: Payload) => AsyncIterable<Sql>;

interface EncodedInSql<Payload> {
  /** For events of large sets: the same as the view shows, encoded by the database. */
  readonly encoded?: EncodedReader<Payload>;
}

/** A public event with its names. */
export interface PublicEventDefinition extends PublicEventOptions<never>, EncodedInSql<never> {
  /** The domain event. */
  readonly event: DomainEventName;
  /** The name that other systems know. */
  readonly name: string;
}

/** Reads the rows that an event is about, in batches, in the order in which they are published. */
type RowReader<Row, Payload> = (scope: WorkspaceScope, payload: Payload) => AsyncIterable<readonly Row[]>;

const PUBLIC_EVENT = Symbol('public event');

/**
 * Publishes an event to other systems. The decorated method of a provider reads the rows, in the transaction that
 * causes the event, and the view turns them into JSON.
 */
export function PublicEvent<Name extends DomainEventName, Row>(
  event: Name,
  options: PublicEventOptions<Row> & EncodedInSql<DomainEventMap[Name]>,
) {
  return <T extends RowReader<Row, DomainEventMap[Name]>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    const definition = { ...options, event, name: options.publicName ?? event };
    SetMetadata(PUBLIC_EVENT, definition)(target, key, descriptor as TypedPropertyDescriptor<unknown>);
  };
}

/** The public events of all modules. */
@Injectable()
export class PublicEvents {
  private readers: ReadonlyMap<string, PublicEventReader> | undefined;

  constructor(private readonly methods: DecoratedMethods) {}

  /** @returns all public events, by name; also in Nest's preview mode, which creates no providers */
  all(): PublicEventDefinition[] {
    const definitions = this.methods.withMetadata<PublicEventDefinition>(PUBLIC_EVENT).map(({ metadata }) => metadata);
    return definitions.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @returns the reader of a domain event, or `undefined` if the event is not public */
  of(event: DomainEventName): PublicEventReader | undefined {
    this.readers ??= new Map(
      this.methods
        .withMetadata<PublicEventDefinition>(PUBLIC_EVENT)
        .map(({ metadata, call }) => [metadata.event, new PublicEventReader(metadata, call as never)]),
    );
    return this.readers.get(event);
  }
}

/** Reads the data of one public event. */
export class PublicEventReader {
  constructor(
    private readonly definition: PublicEventDefinition,
    private readonly rows: RowReader<never, unknown>,
  ) {}

  /** The name that other systems know. */
  get name(): string {
    return this.definition.name;
  }

  /** Returns the `data` of rows that are known already. */
  show(rows: readonly object[]): readonly object[] {
    return rows.map((row) => this.definition.view.toJson(row as never));
  }

  /**
   * @returns statements that return the `data` of each event and its contact, which the database encodes; undefined if
   *   this event has none. Call this in the transaction that causes the event.
   */
  encoded(scope: WorkspaceScope, payload: unknown): AsyncIterable<Sql> | undefined {
    return this.definition.encoded?.(scope, payload as never);
  }

  /** Yields the `data` of each event, in batches. Call this in the transaction that causes the event. */
  async *data(scope: WorkspaceScope, payload: unknown): AsyncGenerator<readonly object[]> {
    for await (const rows of this.rows(scope, payload)) yield rows.map((row) => this.definition.view.toJson(row));
  }
}
