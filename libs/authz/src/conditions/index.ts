export { celConditions } from './cel-conditions.js';
export type { CelConditionsOptions } from './cel-conditions.js';
export type { ConditionLanguage } from './condition-language.js';
export type { CompiledFilter } from '../cel/filter/compile-filter.js';
