import { serve } from './app/commands/serve.js';

// What a container runs. People start it as `outreach serve`.
await serve();
