/** The demo cannot continue. The message is one line for the user. */
export class DemoFailed extends Error {}
