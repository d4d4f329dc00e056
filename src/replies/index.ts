export { type RepliesEvent } from './replies.events.js';
export { RepliesModule } from './replies.module.js';
export { Reply } from './reply.entity.js';
export { replyView } from './reply.view.js';
