import type { Check } from '@outreach/command-line';
import { loadConfiguredExtensions } from '../commands/run.js';

/** Loads the extension modules. A finding only if one of them cannot be loaded. */
export const EXTENSION_CHECK: Check = {
  name: 'settings',
  advice: 'Correct OUTREACH_MODULES, or the module.',
  run: async () => {
    await loadConfiguredExtensions();
    return [];
  },
};
