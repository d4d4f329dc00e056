export { Semaphore, KeyedSemaphore } from './semaphore.js';
