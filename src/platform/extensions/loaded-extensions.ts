import type { Extension } from './extension.js';

const loaded: Extension[] = [];
let isRead = false;

/**
 * Adds extension modules to the process, before any module of the service is loaded.
 * @throws Error if the extensions were read already, because what has read them would lack these
 */
export function registerExtensions(extensions: readonly Extension[]): void {
  if (isRead) throw new Error('Extension modules are registered before the modules of the service are loaded.');
  loaded.push(...extensions);
}

/** @returns the extension modules of this process, in the order of OUTREACH_MODULES */
export function loadedExtensions(): readonly Extension[] {
  isRead = true;
  return loaded;
}
