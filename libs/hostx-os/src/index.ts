export { AlreadyRunningError, OsError } from './errors.js';
