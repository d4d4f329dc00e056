export {
  type PublicEventDefinition,
  type PublicEventOptions,
  PublicEvents,
  PublicEvent,
  type PublicEventReader,
} from './public-events.js';
export {
  type DomainEventMap,
  type DomainEventName,
  DomainEvents,
  type KnownEvent,
  EventReceivers,
  OnDomainEvent,
  OnEveryDomainEvent,
} from './domain-events.js';
export { EventsModule } from './events.module.js';
