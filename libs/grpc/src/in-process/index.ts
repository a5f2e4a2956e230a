export { CallableServer } from './callable-server.js';
export { InProcessDoor } from './in-process-door.js';
