import { Injectable, type OnApplicationBootstrap, SetMetadata } from '@nestjs/common';
import { DecoratedMethods } from '@outreach/decorated-methods';
import { type Sql, sql } from '../database/index.js';
import type { WorkspaceScope } from '../tenancy/index.js';

/**
 * The events inside the service: name → payload. Each module declares its own events by declaration merging:
 * `declare module '../platform/events/index.js' { interface DomainEventMap { 'contact.created': ContactSet } }`
 */
export interface DomainEventMap {}

/** The name of an event inside the service. */
export type DomainEventName = keyof DomainEventMap;

/** What the publisher of an event has read already, so that it is not read again. */
export interface KnownEvent {
  /** What {@link DomainEvents.receivers} returns. */
  readonly receivers?: readonly number[] | undefined;
  /** The rows of the public event, as its reader would return them. */
  readonly rows?: readonly object[] | undefined;
}

type Listener = (scope: WorkspaceScope, payload: never) => Promise<unknown>;
type EveryEventListener = (
  scope: WorkspaceScope,
  name: DomainEventName,
  payload: unknown,
  known?: KnownEvent,
) => Promise<unknown>;
type FindReceivers = (scope: WorkspaceScope, name: DomainEventName) => Sql | undefined;

const DOMAIN_EVENT = Symbol('domain event');
const EVERY_DOMAIN_EVENT = Symbol('every domain event');
const EVENT_RECEIVERS = Symbol('event receivers');

/** Calls a provider's method for an event, in the transaction that publishes it: `(scope, payload) => Promise`. */
export function OnDomainEvent<Name extends DomainEventName>(name: Name) {
  return <T extends (scope: WorkspaceScope, payload: DomainEventMap[Name]) => Promise<unknown>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    SetMetadata(DOMAIN_EVENT, name)(target, key, descriptor as TypedPropertyDescriptor<unknown>);
  };
}

/**
 * Calls a provider's method for every event, after the listeners of that event:
 * `(scope, name, payload, known?) => Promise`.
 */
export const OnEveryDomainEvent = (): MethodDecorator => SetMetadata(EVERY_DOMAIN_EVENT, true);

/**
 * Uses what a provider's method returns as {@link DomainEvents.receivers}; undefined for an event without receivers:
 * `(scope, name) => Sql | undefined`.
 */
export const EventReceivers = (): MethodDecorator => SetMetadata(EVENT_RECEIVERS, true);

/**
 * Publishes events to modules that the publisher does not import. Publisher and listeners share one transaction: either
 * all their writes are committed or none.
 */
@Injectable()
export class DomainEvents implements OnApplicationBootstrap {
  private readonly listeners = new Map<string, Listener[]>();
  private everyEventListeners: EveryEventListener[] = [];
  private findReceivers: FindReceivers | undefined;

  constructor(private readonly methods: DecoratedMethods) {}

  /** Finds the listeners in all modules. */
  onApplicationBootstrap(): void {
    for (const { metadata, call } of this.methods.withMetadata<string>(DOMAIN_EVENT)) {
      this.listeners.set(metadata, [...(this.listeners.get(metadata) ?? []), call as Listener]);
    }
    this.everyEventListeners = this.methods
      .withMetadata(EVERY_DOMAIN_EVENT)
      .map(({ call }) => call as EveryEventListener);
    const [receivers] = this.methods.withMetadata(EVENT_RECEIVERS);
    this.findReceivers = receivers?.call as FindReceivers | undefined;
  }

  /** Calls a function for an event, like the methods with {@link OnDomainEvent}. Call this before the application starts. */
  listen(name: DomainEventName, listener: Listener): void {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }

  /**
   * @returns SQL for the IDs of what receives an event, of the type `bigint[]`. A publisher that reads it together with
   *   something else, after its writes, saves a statement.
   */
  receivers(scope: WorkspaceScope, name: DomainEventName): Sql {
    return this.findReceivers?.(scope, name) ?? sql`'{}'::bigint[]`;
  }

  /**
   * Calls every listener, one after the other. Call this in the transaction that causes the event.
   * @param known what the publisher has read already
   */
  async publish<Name extends DomainEventName>(
    scope: WorkspaceScope,
    name: Name,
    payload: DomainEventMap[Name],
    known?: KnownEvent,
  ): Promise<void> {
    for (const listener of this.listeners.get(name) ?? []) await listener(scope, payload as never);
    for (const listener of this.everyEventListeners) await listener(scope, name, payload, known);
  }
}
