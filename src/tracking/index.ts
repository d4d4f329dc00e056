import './tracking.events.js';

export { TrackingModule } from './tracking.module.js';
