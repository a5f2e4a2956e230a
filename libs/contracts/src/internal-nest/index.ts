export { checkedFactory } from '../nest/checked-factory.js';
export { CLOSE_LAST_MODULE, LastCloser } from '../nest/close-last.module.js';
export { type FrontPlace, frontPlace } from '../nest/front-place.js';
export { GlobalPrefix } from '../nest/global-prefix.js';
export { optionsModule } from '../nest/options-module.js';
export type { ModuleExtras, OptionsModule } from '../nest/options-module.js';
