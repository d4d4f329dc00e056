/** The demo cannot go on; the message is one line for whoever runs it. */
export class DemoFailed extends Error {}
