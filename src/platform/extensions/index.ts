export {
  defineExtension,
  type Extension,
  type ExtensionOptions,
  type ExtensionParts,
  isExtension,
  prefixOf,
} from './extension.js';
export { loadedExtensions, registerExtensions } from './loaded-extensions.js';
