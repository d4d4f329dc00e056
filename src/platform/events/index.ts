export { type DomainEventMap, type DomainEventName, DomainEvents, On } from './domain-events.js';
export { EventsModule } from './events.module.js';
