import { Injectable, type OnApplicationBootstrap, SetMetadata } from '@nestjs/common';
import { MarkedMethods } from '../discovery/index.js';
import type { WorkspaceScope } from '../tenancy/index.js';

/**
 * What happens in the service: event name → payload. Each module declares its own events by declaration merging:
 * `declare module '../platform/events/index.js' { interface DomainEventMap { 'contact.created': ContactSet } }`
 */
export interface DomainEventMap {}

/** The name of an event inside the service. */
export type DomainEventName = keyof DomainEventMap;

type Listener = (scope: WorkspaceScope, payload: never) => Promise<unknown>;
type Audience = (scope: WorkspaceScope, name: DomainEventName, payload: unknown) => Promise<unknown>;

const LISTENS_TO = Symbol('listens to');
const LISTENS_TO_ALL = Symbol('listens to all');

/** A provider method that hears an event inside the transaction that publishes it: `(scope, payload) => Promise`. */
export function On<Name extends DomainEventName>(name: Name) {
  return <T extends (scope: WorkspaceScope, payload: DomainEventMap[Name]) => Promise<unknown>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    SetMetadata(LISTENS_TO, name)(target, key, descriptor as TypedPropertyDescriptor<unknown>);
  };
}

/** A provider method that hears every event, after those that listen to it alone: `(scope, name, payload) => Promise`. */
export const OnEvery = (): MethodDecorator => SetMetadata(LISTENS_TO_ALL, true);

/**
 * Carries events upwards between modules. Publisher and listeners share one transaction: either all of them are
 * written or nothing is.
 */
@Injectable()
export class DomainEvents implements OnApplicationBootstrap {
  private readonly listeners = new Map<string, Listener[]>();
  private audience: Audience[] = [];

  constructor(private readonly methods: MarkedMethods) {}

  /** Finds the listeners of all modules. */
  onApplicationBootstrap(): void {
    for (const { mark, call } of this.methods.with<string>(LISTENS_TO)) {
      this.listeners.set(mark, [...(this.listeners.get(mark) ?? []), call as Listener]);
    }
    this.audience = this.methods.with(LISTENS_TO_ALL).map(({ call }) => call as Audience);
  }

  /** Tells every listener, one after the other. Call it inside the transaction of the cause. */
  async publish<Name extends DomainEventName>(
    scope: WorkspaceScope,
    name: Name,
    payload: DomainEventMap[Name],
  ): Promise<void> {
    for (const listener of this.listeners.get(name) ?? []) await listener(scope, payload as never);
    for (const hear of this.audience) await hear(scope, name, payload);
  }
}
