import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';

/** A method of a provider that has a decorator. */
export interface DecoratedMethod<Metadata> {
  /** What the decorator has stored. */
  readonly metadata: Metadata;
  /** The provider itself; `undefined` in Nest's preview mode, which creates none. */
  readonly provider: unknown;
  /** The provider's method, bound to it. Cannot be called in preview mode. */
  readonly call: (...input: unknown[]) => unknown;
}

/** Finds the methods with a given decorator in the providers of all modules. */
@Injectable()
export class DecoratedMethods {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /**
   * @param key the key that the decorator passes to `SetMetadata`
   * @returns the methods that have metadata under this key
   */
  withMetadata<Metadata>(key: symbol): DecoratedMethod<Metadata>[] {
    return this.discovery.getProviders().flatMap(({ metatype, instance }) => {
      if (typeof metatype !== 'function') return [];
      const prototype = metatype.prototype as Record<string, (...input: unknown[]) => unknown> | undefined;
      if (!prototype) return [];
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const method = prototype[name];
        const metadata = method && this.reflector.get<Metadata | undefined>(key, method);
        if (!method || metadata === undefined) return [];
        return [{ metadata, provider: instance as unknown, call: method.bind(instance) }];
      });
    });
  }
}
