import { type Clock, type Duration, systemClock } from '@apix/contracts';
import {
  anyValue,
  arrayOf,
  callable,
  choice,
  CLOCK,
  duration,
  FLAG,
  objectWith,
  option,
  type OptionTable,
  type ReadOptions,
  recordOf,
  required,
  STRING,
  withDefault,
} from '@apix/contracts/internal';
import type { ConditionLanguage } from '../conditions/condition-language.js';
import type { RequestShape } from '../conditions/request-shape.js';
import type { ResourceLoad } from '../conditions/resource-load.js';
import type { DecisionObserver } from './decision.js';
import { SUBJECT_FUNC, type SubjectFunc } from '../subject/subject.js';

/** The options of an Authorizer, and of AuthzModule. */
export interface AuthorizerOptions {
  /** Returns the caller's subject. Required. */
  readonly subject: SubjectFunc;
  /** How long that may take; then the call ends with DEADLINE_EXCEEDED. Default: '5s'. */
  readonly subjectTimeout?: Duration;
  /**
   * What happens to a method that neither carries nor inherits a requirement: 'allow' does not
   * check it (the rule of the spec), 'deny' refuses it. Default: 'allow'.
   */
  readonly unannotated?: 'allow' | 'deny';
  /**
   * Methods (`/pkg.Service/Method`) and services (`/pkg.Service/*`) that need no requirement under 'deny',
   * and handlers of a Nest app (`Class.method`, `Class.*`), such as those of controllers that come with a
   * library. gRPC health and reflection are always included. Default: none.
   */
  readonly exempt?: readonly string[];
  /** 'shadow' decides and reports, and lets every call through. Default: 'enforce'. */
  readonly mode?: 'enforce' | 'shadow';
  /** Called for every decision; it cannot change or fail it. Default: none. */
  readonly onDecision?: DecisionObserver;
  /**
   * Whether the error for a denied caller names the roles and permissions that it lacks, and
   * states the `message` of conditions. Default: false.
   */
  readonly exposeReasons?: boolean;
  /**
   * Evaluates the conditions of policies: `celConditions()` of `@apix/authz/conditions`. Default: none; policies
   * with conditions are then refused at startup.
   */
  readonly conditions?: ConditionLanguage;
  /**
   * Load the records that conditions read, by the full name of their message, such as `shop.v1.Order`. In a Nest
   * app, providers with `@ResourceLoader` do too. Default: none.
   */
  readonly loaders?: Readonly<Record<string, ResourceLoad>>;
  /**
   * The types of records that are not messages of the descriptors, by a name of yours, as the types of their members:
   * `{ Order: { customer: 'string', 'paid?': 'timestamp' } }`. Conditions of `@Requires` can read such records; their
   * loaders return objects. In a Nest app, the second argument of `@ResourceLoader` does the same. Default: none.
   */
  readonly recordTypes?: Readonly<Record<string, RequestShape>>;
  /**
   * Who decides about records. 'upstream' is for a gateway whose server enforces these policies as well: it decides about
   * conditions that read `resource`, and which records a list shows; everything else is decided here. Default: 'here'.
   */
  readonly recordRules?: 'here' | 'upstream';
  /** How long a loader may take, at most until the deadline of the call; then the call is refused. Default: '5s'. */
  readonly loaderTimeout?: Duration;
  /** For tests of the timeouts. Default: the machine's. */
  readonly clock?: Clock;
}

const LOADER = required<ResourceLoad>(
  option('a function that loads a record', (value) => typeof value === 'function'),
  () => null,
);

/** The allowed values of the options of an Authorizer. */
export const AUTHORIZER_OPTIONS = {
  subject: required(SUBJECT_FUNC, () => null),
  subjectTimeout: withDefault(duration({ min: 1 }), 5_000),
  unannotated: withDefault(choice(['allow', 'deny']), 'allow'),
  exempt: withDefault(arrayOf(STRING, 'an array of strings'), []),
  mode: withDefault(choice(['enforce', 'shadow']), 'enforce'),
  onDecision: callable<DecisionObserver>(),
  exposeReasons: withDefault(FLAG, false),
  conditions: objectWith<ConditionLanguage>('what celConditions() returns', 'compile'),
  loaders: withDefault(recordOf(LOADER, 'an object of functions'), {}),
  recordTypes: withDefault(recordOf(anyValue<RequestShape>()), {}),
  recordRules: withDefault(choice(['here', 'upstream']), 'here'),
  loaderTimeout: withDefault(duration({ min: 1 }), 5_000),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<AuthorizerOptions>;

/** The options of an Authorizer, read, with every default. */
export type ResolvedAuthorizerOptions = ReadOptions<typeof AUTHORIZER_OPTIONS>;
