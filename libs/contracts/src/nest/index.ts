export { checkedFactory } from './checked-factory.js';
export { CLOSE_LAST_MODULE, LastCloser } from './close-last.module.js';
export { discoverMarked } from './discover-marked.js';
export { type FrontPlace, frontPlace } from './front-place.js';
export { GlobalPrefix } from './global-prefix.js';
export { optionsModule } from './options-module.js';
export type { ModuleExtras, OptionsModule } from './options-module.js';
