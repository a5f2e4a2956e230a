export {
  anyValue,
  callable,
  choice,
  CLOCK,
  wholeNumber,
  DURATION,
  duration,
  FLAG,
  foreignObject,
  HEADER_VALUE,
  limit,
  arrayOf,
  finiteNumber,
  objectWith,
  orFalse,
  recordOf,
  shaped,
  STRING,
  TEXT,
} from './option-kinds.js';
export {
  isRecord,
  option,
  optionPath,
  parsedOption,
  required,
  textInPath,
  withDefault,
} from './option.js';
export {
  filledSection,
  readOptions,
  refuseUnknown,
  checkedOptions,
  schemaOf,
  schemasOf,
  section,
} from './option-table.js';
export type { FilledOption, Option } from './option.js';
export type { AnyTable, OptionTable, ReadOptions } from './option-table.js';
