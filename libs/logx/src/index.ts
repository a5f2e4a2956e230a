export { createLogger } from './logger/create-logger.js';
