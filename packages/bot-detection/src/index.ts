export {
  BOT_WINDOW_SECONDS,
  type BotDetection,
  botReasonOf,
  detectBots,
  GRACE_SECONDS,
  HIDDEN_LINK,
  type TrackedRequest,
} from './bot-detector.js';
export { type Visitor, visitorOf } from './visitor.js';
