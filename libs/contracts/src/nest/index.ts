export { discoverMarked } from './discover-marked.js';
