import { Injectable, type OnApplicationBootstrap, SetMetadata } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { WorkspaceScope } from '../tenancy/index.js';

/**
 * What happens in the service: event name → payload. Each module declares its own events by declaration merging:
 * `declare module '../platform/events/index.js' { interface DomainEventMap { 'contact.created': ContactSet } }`
 */
export interface DomainEventMap {}
export type DomainEventName = keyof DomainEventMap;

type Listener = (scope: WorkspaceScope, payload: never) => Promise<unknown>;

const LISTENS_TO = Symbol('listens to');

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

/**
 * Carries events upwards between modules. Publisher and listeners share one transaction: either all of them are
 * written or nothing is.
 */
@Injectable()
export class DomainEvents implements OnApplicationBootstrap {
  private readonly listeners = new Map<string, Listener[]>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Finds the listeners of all modules. */
  onApplicationBootstrap(): void {
    for (const { instance } of this.discovery.getProviders() as { instance: Record<string, Listener> | undefined }[]) {
      if (!instance || typeof instance !== 'object') continue;
      for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const handler = instance[method];
        const name = handler && this.reflector.get<string | undefined>(LISTENS_TO, handler);
        if (handler && name) this.add(name, handler.bind(instance));
      }
    }
  }

  /** Tells every listener, one after the other. Call it inside the transaction of the cause. */
  async publish<Name extends DomainEventName>(
    scope: WorkspaceScope,
    name: Name,
    payload: DomainEventMap[Name],
  ): Promise<void> {
    for (const listener of this.listeners.get(name) ?? []) await listener(scope, payload as never);
  }

  private add(name: string, listener: Listener): void {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }
}
