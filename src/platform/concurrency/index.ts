export { KeyedSemaphore, Semaphore } from './semaphore.js';
