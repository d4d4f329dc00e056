import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';

/** A method of a provider that a decorator has marked. */
export interface DecoratedMethod<Metadata> {
  readonly metadata: Metadata;
  /** `Class.method` */
  readonly name: string;
  /** The provider's method, bound to it. Nothing but the mark is there while providers are only looked at. */
  readonly call: (...input: unknown[]) => unknown;
}

/** Finds what decorators have marked by `SetMetadata`, over the providers of all modules. */
@Injectable()
export class DecoratedMethods {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @param key the metadata key of the decorator; what it holds becomes the `mark` */
  withMetadata<Metadata>(key: symbol): DecoratedMethod<Metadata>[] {
    return this.discovery.getProviders().flatMap(({ metatype, instance }) => {
      if (typeof metatype !== 'function') return [];
      const prototype = metatype.prototype as Record<string, (...input: unknown[]) => unknown> | undefined;
      if (!prototype) return [];
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const method = prototype[name];
        const metadata = method && this.reflector.get<Metadata | undefined>(key, method);
        if (!method || metadata === undefined) return [];
        return [{ metadata, name: `${metatype.name}.${name}`, call: method.bind(instance) }];
      });
    });
  }
}
