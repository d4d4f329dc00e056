import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';

/** A method of a provider that a decorator has marked. */
export interface MarkedMethod<Mark> {
  readonly mark: Mark;
  /** `Class.method` */
  readonly name: string;
  /** The provider's method, bound to it. Nothing but the mark is there while providers are only looked at. */
  readonly call: (...input: unknown[]) => unknown;
}

/** Finds what decorators have marked by `SetMetadata`, over the providers of all modules. */
@Injectable()
export class MarkedMethods {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @param key the metadata key of the decorator; what it holds becomes the `mark` */
  with<Mark>(key: symbol): MarkedMethod<Mark>[] {
    return this.discovery.getProviders().flatMap(({ metatype, instance }) => {
      if (typeof metatype !== 'function') return [];
      const prototype = metatype.prototype as Record<string, (...input: unknown[]) => unknown> | undefined;
      if (!prototype) return [];
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const method = prototype[name];
        const mark = method && this.reflector.get<Mark | undefined>(key, method);
        if (!method || mark === undefined) return [];
        return [{ mark, name: `${metatype.name}.${name}`, call: method.bind(instance) }];
      });
    });
  }
}
