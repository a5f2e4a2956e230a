import { type Clock, type Duration, systemClock } from '@apix/contracts';
import {
  arrayOf,
  callable,
  choice,
  CLOCK,
  duration,
  FLAG,
  type OptionTable,
  type ReadOptions,
  required,
  STRING,
  withDefault,
} from '@apix/contracts/options';
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
  /** Whether the error for a denied caller names the roles and permissions that it lacks. Default: false. */
  readonly exposeReasons?: boolean;
  /** For tests of `subjectTimeout`. Default: the machine's. */
  readonly clock?: Clock;
}

/** The allowed values of the options of an Authorizer. */
export const AUTHORIZER_OPTIONS = {
  subject: required(SUBJECT_FUNC, () => null),
  subjectTimeout: withDefault(duration({ min: 1 }), 5_000),
  unannotated: withDefault(choice(['allow', 'deny']), 'allow'),
  exempt: withDefault(arrayOf(STRING, 'an array of strings'), []),
  mode: withDefault(choice(['enforce', 'shadow']), 'enforce'),
  onDecision: callable<DecisionObserver>(),
  exposeReasons: withDefault(FLAG, false),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<AuthorizerOptions>;

/** The options of an Authorizer, read, with every default. */
export type ResolvedAuthorizerOptions = ReadOptions<typeof AUTHORIZER_OPTIONS>;
