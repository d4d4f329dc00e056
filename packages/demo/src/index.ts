export { type DemoOptions, runDemo } from './run-demo.js';
export type { DemoService } from './temporary-service.js';
