export { celConditions } from './cel-conditions.js';
export type { CelConditionsOptions } from './cel-conditions.js';
export type { ConditionLanguage } from './condition-language.js';
export { mayList } from '../cel/filter/list-filter.js';
export type { ListFilter } from '../cel/filter/list-filter.js';
export { toSql } from '../cel/filter/to-sql.js';
export type { SqlFilter, SqlFilterOptions } from '../cel/filter/to-sql.js';
export { describeFilter } from '../cel/filter/describe-filter.js';
export type {
  FieldTest,
  FilterOperator,
  RecordField,
  RecordFilter,
} from '../cel/filter/record-filter.js';
export type { CelType } from '../cel/cel-type.js';
export type { CompiledFilter } from '../cel/filter/compile-filter.js';
