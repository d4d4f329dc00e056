import { Global, Module } from '@nestjs/common';
import { DecoratedMethodsModule } from '../discovery/index.js';
import { PublicEvents } from './public-events.js';
import { DomainEvents } from './domain-events.js';

/** Events for all modules: to publish, to hear and to announce them. */
@Global()
@Module({
  imports: [DecoratedMethodsModule],
  providers: [PublicEvents, DomainEvents],
  exports: [PublicEvents, DomainEvents],
})
export class EventsModule {}
