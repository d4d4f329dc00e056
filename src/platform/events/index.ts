export { type Announced, type Announcement, Announcements, Announces, type Told } from './announcements.js';
export { type DomainEventMap, type DomainEventName, DomainEvents, On, OnEvery } from './domain-events.js';
export { EventsModule } from './events.module.js';
