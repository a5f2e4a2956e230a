import { type Duration, type Mistakes, shownValue } from '@apix/contracts';
import {
  arrayOf,
  DURATION,
  FLAG,
  isRecord,
  type Option,
  option,
  type OptionTable,
  type ReadOptions,
  section,
  shaped,
  TEXT,
  withDefault,
} from '@apix/contracts/internal';

/** What an outgoing call inherits from the call that it is made for. */
export interface InheritOptions {
  /** Ends no later than the call under way, less the margin. Default: true. */
  readonly deadline?: boolean | undefined;
  /** The part of that deadline that is reserved for answering after this call. Default: '20ms'. */
  readonly margin?: Duration | undefined;
  /** Is cancelled with the call under way. Default: true. */
  readonly cancellation?: boolean | undefined;
  /**
   * The request id, as `x-request-id`, or under another key: the one that the server reads it from. Default:
   * true.
   */
  readonly requestId?: boolean | string | undefined;
  /**
   * Keys of its metadata that are passed on as they came; not for credentials, see
   * `authorization`. Default: `['traceparent', 'tracestate', 'baggage']`.
   */
  readonly metadata?: readonly string[] | undefined;
}

const TRACE_KEYS = ['traceparent', 'tracestate', 'baggage'];

/** Keys whose values are secrets, or describe another connection. */
const NEVER = /^(?:authorization|proxy-authorization|cookie|grpc-.*|:.*|.*-bin)$/;

/** As grpc-js has it, which throws for others when the call is made. */
const LEGAL_KEY = /^[0-9a-z_.-]+$/;

const METADATA_KEY: Option<string> = {
  schema: TEXT.schema,
  read(value, at, mistakes) {
    const name = TEXT.read(value, at, mistakes)?.toLowerCase();
    if (name === undefined) return undefined;
    const problem = keyProblem(name);
    if (problem === undefined) return name;
    mistakes.add(at, `${shownValue(value)} ${problem}`);
    return undefined;
  },
};

function keyProblem(name: string): string | undefined {
  if (NEVER.test(name)) return 'is not passed on with other metadata; use the option authorization';
  if (LEGAL_KEY.test(name)) return undefined;
  return 'is not a valid metadata key; use letters, digits, _, - and .';
}

const REQUEST_ID = shaped<boolean | string>((value) =>
  typeof value === 'string' ? METADATA_KEY : FLAG,
);

const INHERIT_OPTIONS = {
  deadline: withDefault(FLAG, true),
  margin: withDefault(DURATION, 20),
  cancellation: withDefault(FLAG, true),
  requestId: withDefault(REQUEST_ID, true),
  metadata: withDefault(arrayOf(METADATA_KEY, 'an array of keys'), TRACE_KEYS),
} satisfies OptionTable<InheritOptions>;

const WHOLE = section(INHERIT_OPTIONS);
const NEITHER = option<never>('true, false or an object', () => false);

/** The same, checked and filled in; times in milliseconds. */
export interface InheritRules extends Omit<ReadOptions<typeof INHERIT_OPTIONS>, 'requestId'> {
  /** undefined where it is not passed on. */
  readonly requestIdKey: string | undefined;
}

/** undefined where nothing is inherited. */
export function inheritRules(
  given: boolean | InheritOptions | undefined,
  mistakes: Mistakes,
): InheritRules | undefined {
  if (given === false) return undefined;
  const own = given === undefined || given === true ? {} : given;
  const rules = (isRecord(own) ? WHOLE : NEITHER).read(own, 'inherit', mistakes);
  if (rules === undefined) return undefined;
  const { requestId, ...others } = rules;
  const requestIdKey = requestId === true ? 'x-request-id' : requestId || undefined;
  return { ...others, requestIdKey };
}
