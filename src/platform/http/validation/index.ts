export * from './fields.js';
export { InputPipe, validInput } from './input.pipe.js';
