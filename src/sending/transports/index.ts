export { ServerExperience } from './server-experience.js';
export { type SendOptions, type Transport } from './transport.js';
export { Transports } from './transports.js';
