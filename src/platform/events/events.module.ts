import { Global, Module } from '@nestjs/common';
import { DecoratedMethodsModule } from '@outreach/decorated-methods';
import { PublicEvents } from './public-events.js';
import { DomainEvents } from './domain-events.js';

/** Provides events to all modules: domain events and public events. */
@Global()
@Module({
  imports: [DecoratedMethodsModule],
  providers: [PublicEvents, DomainEvents],
  exports: [PublicEvents, DomainEvents],
})
export class EventsModule {}
