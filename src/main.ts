import { serve } from './app/commands/serve.js';

// For what starts a file instead of a command; `outreach serve` does the same.
await serve();
