import type { Mistakes } from '@apix/contracts';
import {
  anyValue,
  arrayOf,
  FLAG,
  type OptionTable,
  readOptions,
  required,
  section,
  STRING,
  TEXT,
  withDefault,
} from '@apix/contracts/internal';
import type { DescMessage } from '@bufbuild/protobuf';
import {
  compileConditions,
  type ConditionSetup,
  scopeIn,
} from '../conditions/compile-conditions.js';
import type { MethodConditions } from '../conditions/method-conditions.js';
import { resourceIn } from '../conditions/read-conditions.js';
import { type RequestShape, shapeMessage } from '../conditions/request-shape.js';
import {
  REQUIREMENT,
  type Requirement,
  type RequirementInput,
  requirementMistakes,
} from '../policy/requirement.js';

/** A condition on a handler. */
export interface HandlerCondition {
  /** For decisions and the log. */
  readonly id: string;
  /** CEL, of type bool. */
  readonly expression: string;
  /** For refused callers, with `exposeReasons`. Default: none. */
  readonly message?: string;
}

/** The record that the conditions of a handler read. */
export interface HandlerResource {
  /** The full name of its message, or a type that a loader or the option `recordTypes` declares. It needs a loader. */
  readonly type: string;
  /** Where its name is in the request, such as `params.id`. */
  readonly name: string;
}

/** What a handler requires of its callers. */
export interface HandlerRequirement extends RequirementInput {
  /** All must be true, after roles and permissions. Default: none. */
  readonly conditions?: readonly HandlerCondition[];
  /**
   * The types of what expressions read as `request`: of an HTTP handler `params`, `query` and `body`, of others the
   * members of the message, or the arguments. Default: none; expressions cannot read `request`.
   */
  readonly request?: RequestShape;
  /** What expressions read as `resource`. Default: none. */
  readonly resource?: HandlerResource;
  /** Whether refused callers get NOT_FOUND. Default: false, PERMISSION_DENIED. */
  readonly hideExistence?: boolean;
}

const CONDITION = section({
  id: required(TEXT, ''),
  expression: required(TEXT, 'true'),
  message: withDefault(STRING, ''),
} satisfies OptionTable<HandlerCondition>);

const HANDLER_REQUIREMENT = {
  ...REQUIREMENT,
  conditions: withDefault(arrayOf(CONDITION), []),
  request: withDefault(anyValue<RequestShape>(), {}),
  resource: section({
    type: required(TEXT, ''),
    name: required(TEXT, ''),
  } satisfies OptionTable<HandlerResource>),
  hideExistence: withDefault(FLAG, false),
} satisfies OptionTable<HandlerRequirement>;

/** What only conditions need. */
const OF_CONDITIONS = ['conditions', 'request', 'resource', 'hideExistence'] as const;

/** A requirement of a handler, compiled. */
export interface ReadRequirement {
  readonly requirement: Requirement;
  /** Undefined: it has none. */
  readonly conditions: MethodConditions | undefined;
}

/** Whether a requirement has what only conditions need. */
export function hasConditions(input: HandlerRequirement): boolean {
  return OF_CONDITIONS.some((name) => (Object(input) as HandlerRequirement)[name] !== undefined);
}

/** Reads a requirement of a handler; `name` is what its expressions read as `method`. */
export function readHandlerRequirement(
  input: HandlerRequirement,
  name: string,
  setup: ConditionSetup,
  mistakes: Mistakes,
): ReadRequirement {
  const before = mistakes.found.length;
  const read = readOptions(HANDLER_REQUIREMENT, input, '', mistakes);
  const { roles, permissions } = read;
  const requirement: Requirement = { kind: 'protected', roles, permissions };
  for (const mistake of requirementMistakes(requirement)) mistakes.add('', mistake);
  if (mistakes.found.length > before || !hasConditions(input)) {
    return { requirement, conditions: undefined };
  }
  if (read.conditions.length === 0) {
    mistakes.add('', 'request, resource and hideExistence need conditions; remove them');
    return { requirement, conditions: undefined };
  }
  const desc = shapeMessage('request', read.request, '', mistakes);
  if (desc === undefined) return { requirement, conditions: undefined };
  const views = read.conditions.map(({ id, expression, message }) => ({
    id,
    expression,
    ...(message !== '' && { message }),
  }));
  return {
    requirement: { ...requirement, conditions: views },
    conditions: conditionsOn(desc, read, name, setup, mistakes),
  };
}

/** Where the mistakes of conditions are. */
const WHERE = '@Requires';

function conditionsOn(
  input: DescMessage,
  read: {
    readonly conditions: readonly Required<HandlerCondition>[];
    readonly hideExistence: boolean;
    readonly resource?: HandlerResource | undefined;
  },
  method: string,
  setup: ConditionSetup,
  mistakes: Mistakes,
): MethodConditions | undefined {
  const { hideExistence, resource: declared } = read;
  const shape = declared && setup.recordTypes?.get(declared.type);
  const resource =
    declared && resourceIn(input, { ...declared, shape, where: WHERE }, setup, mistakes);
  const messages: [string, DescMessage][] = [['request', input]];
  if (resource !== undefined) messages.push(['resource', resource.desc]);
  const scope = scopeIn('', messages, setup.types);
  const conditions = read.conditions.map((each) => ({ ...each, firstOnly: false }));
  return compileConditions(
    { conditions, hideExistence, where: WHERE, method, input, resource, scope },
    setup,
    mistakes,
  );
}
