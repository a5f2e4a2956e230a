export { CallableServer } from './callable-server.js';
export { InProcessEntry } from './in-process-entry.js';
