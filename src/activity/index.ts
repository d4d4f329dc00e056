export { wholeActivity } from './activity.queries.js';
export { type ActivityEntry, activityView } from './activity.view.js';
export { ActivityModule } from './activity.module.js';
