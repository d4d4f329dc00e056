/** The levels, with the most severe first. `silent` logs nothing. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** The lowest level that is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The formats of lines. */
export const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;
/** How a log line is written. `auto`: for people if standard error is a terminal, as JSON otherwise. */
export type LogFormat = (typeof LOG_FORMATS)[number];
