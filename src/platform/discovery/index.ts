export { type MarkedMethod, MarkedMethods } from './marked-methods.js';
export { MarkedMethodsModule } from './marked-methods.module.js';
