export { type DecoratedMethod, DecoratedMethods } from './decorated-methods.js';
export { DecoratedMethodsModule } from './decorated-methods.module.js';
