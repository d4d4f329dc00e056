import { serve } from './app/commands/serve.js';

// The entry point of the container image; `outreach serve` does the same.
await serve();
