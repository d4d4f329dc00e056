export { type HttpSetup, prepareToStop, setUpExpress, stopListening } from './express-app.js';
export { HttpModule } from './http.module.js';
export { InputInterceptor } from './input.interceptor.js';
export { closeIfStalled } from './stalled-clients.js';
