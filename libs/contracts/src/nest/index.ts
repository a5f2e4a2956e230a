export { CLOSE_LAST_MODULE, LastCloser } from './close-last.module.js';
export { discoverMarked } from './discover-marked.js';
