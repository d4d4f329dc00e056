import { Injectable, SetMetadata } from '@nestjs/common';
import { DecoratedMethods } from '../discovery/index.js';
import type { View } from '../http/index.js';
import type { WorkspaceScope } from '../tenancy/index.js';
import type { DomainEventMap, DomainEventName } from './domain-events.js';

/** How an event is told to other systems (API v1, "Events"). */
export interface PublicEventOptions<Row> {
  /** The name that other systems know; the event's own where absent. */
  readonly publicName?: string;
  /** When it happens: a sentence for the reference. */
  readonly when: string;
  /** What `data` holds. */
  readonly view: View<Row>;
  /** A row for the reference. */
  readonly example: Row;
}

/** An announcement with its names. */
export interface PublicEventDefinition extends PublicEventOptions<never> {
  /** The event inside the service. */
  readonly event: DomainEventName;
  /** The event as other systems know it. */
  readonly name: string;
}

/** Gives the rows that an event is about, in batches, in the order in which they are to be told. */
type RowReader<Row, Payload> = (scope: WorkspaceScope, payload: Payload) => AsyncIterable<readonly Row[]>;

const PUBLIC_EVENT = Symbol('public event');

/**
 * A provider method that tells an event of its module to other systems: it reads the rows, inside the transaction of the
 * cause, and the view shows them.
 */
export function PublicEvent<Name extends DomainEventName, Row>(event: Name, options: PublicEventOptions<Row>) {
  return <T extends RowReader<Row, DomainEventMap[Name]>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    const definition = { ...options, event, name: options.publicName ?? event };
    SetMetadata(PUBLIC_EVENT, definition)(target, key, descriptor as TypedPropertyDescriptor<unknown>);
  };
}

/** What the modules announce. */
@Injectable()
export class PublicEvents {
  private readers: ReadonlyMap<string, PublicEventReader> | undefined;

  constructor(private readonly methods: DecoratedMethods) {}

  /** All of them, by name. Works on providers that were never made, too. */
  all(): PublicEventDefinition[] {
    const definitions = this.methods.withMetadata<PublicEventDefinition>(PUBLIC_EVENT).map(({ metadata }) => metadata);
    return definitions.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The announcement of an event inside the service, if other systems are told of it at all. */
  of(event: DomainEventName): PublicEventReader | undefined {
    this.readers ??= new Map(
      this.methods
        .withMetadata<PublicEventDefinition>(PUBLIC_EVENT)
        .map(({ metadata, call }) => [metadata.event, new PublicEventReader(metadata, call as never)]),
    );
    return this.readers.get(event);
  }
}

/** One announcement, ready to be told. */
export class PublicEventReader {
  constructor(
    private readonly definition: PublicEventDefinition,
    private readonly rows: RowReader<never, unknown>,
  ) {}

  /** The event as other systems know it. */
  get name(): string {
    return this.definition.name;
  }

  /** The `data` of each event, in batches. Call it inside the transaction of the cause. */
  async *data(scope: WorkspaceScope, payload: unknown): AsyncGenerator<readonly object[]> {
    for await (const rows of this.rows(scope, payload)) yield rows.map((row) => this.definition.view.toJson(row));
  }
}
