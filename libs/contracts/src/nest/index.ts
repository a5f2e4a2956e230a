export { discoverMarked } from './discover-marked.js';
export { type FrontPlace, frontPlace } from './front-place.js';
