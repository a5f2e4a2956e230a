import { OptionsError } from '@apix/contracts';
import {
  checkedOptions,
  type OptionTable,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { compileExpression } from '../cel/compile-expression.js';
import { compileFilter } from '../cel/filter/compile-filter.js';
import type { ConditionLanguage } from './condition-language.js';

/** The options of {@link celConditions}. */
export interface CelConditionsOptions {
  /**
   * The highest cost of an expression, in steps, if each list and map has 100 entries; a policy with one that may
   * cost more is refused at startup. Default: 10000, enough for loops that are not nested.
   */
  readonly maxCost?: number;
  /** The number of steps after which an evaluation ends with an error, which refuses the call. Default: 100000. */
  readonly maxSteps?: number;
}

const CEL_CONDITIONS = {
  maxCost: withDefault(wholeNumber({ min: 1 }), 10_000),
  maxSteps: withDefault(wholeNumber({ min: 1 }), 100_000),
} satisfies OptionTable<CelConditionsOptions>;

/**
 * Enables conditions in CEL, checked against the descriptors at startup: the option `conditions` of an Authorizer and
 * of AuthzModule. Needs `@bufbuild/cel`, for its parser.
 *
 * @throws OptionsError that lists what is wrong with the options.
 */
export function celConditions(options: CelConditionsOptions = {}): ConditionLanguage {
  const { maxCost, maxSteps } = checkedOptions(
    CEL_CONDITIONS,
    options,
    (found) => new OptionsError('authz: celConditions', found),
  );
  return {
    maxCost,
    compile: (source, scope) => compileExpression(source, { ...scope, maxSteps }),
    compileFilter: (source, scope) => compileFilter(source, { ...scope, maxSteps }, 'resource'),
  };
}
