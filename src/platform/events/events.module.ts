import { Global, Module } from '@nestjs/common';
import { MarkedMethodsModule } from '../discovery/index.js';
import { Announcements } from './announcements.js';
import { DomainEvents } from './domain-events.js';

/** Events for all modules: to publish, to hear and to announce them. */
@Global()
@Module({
  imports: [MarkedMethodsModule],
  providers: [Announcements, DomainEvents],
  exports: [Announcements, DomainEvents],
})
export class EventsModule {}
