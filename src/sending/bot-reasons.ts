/** Why a request for the pixel or a link of a message does not count as an open or a click. */
export const BOT_REASONS = [
  /** The request asked for the headers only, which mail programs do not do. */
  'head',
  /** The request says that it is made ahead of time, without a person. */
  'prefetch',
  /** The user agent is that of a crawler, a scanner or a program. */
  'agent',
  /** Around that time, a link was followed that people do not see. */
  'hidden_link',
  /** Around that time, many links of the message were followed at once. */
  'many_links',
] as const;
/** Why a request does not count. */
export type BotReason = (typeof BOT_REASONS)[number];
