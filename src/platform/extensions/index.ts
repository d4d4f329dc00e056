export { defineExtension, type Extension, type ExtensionOptions, isExtension, prefixOf } from './extension.js';
export { loadedExtensions, registerExtensions } from './loaded-extensions.js';
