import { type Duration, type Mistakes, shownValue } from '@apix/contracts';

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

/** The same, checked and filled in. */
export interface InheritRules {
  readonly deadline: boolean;
  readonly marginMs: number;
  readonly cancellation: boolean;
  /** undefined where it is not passed on. */
  readonly requestIdKey: string | undefined;
  readonly metadata: readonly string[];
}

const TRACE_KEYS = ['traceparent', 'tracestate', 'baggage'];

/** Keys whose values are secrets, or describe another connection. */
const NEVER = /^(?:authorization|proxy-authorization|cookie|grpc-.*|:.*|.*-bin)$/;

/** As grpc-js has it, which throws for others when the call is made. */
const LEGAL_KEY = /^[0-9a-z_.-]+$/;

/** undefined where nothing is inherited. */
export function inheritRules(
  given: boolean | InheritOptions | undefined,
  mistakes: Mistakes,
): InheritRules | undefined {
  if (given === false) return undefined;
  if (given !== undefined && given !== true && (typeof given !== 'object' || given === null)) {
    mistakes.add('inherit', `must be true, false or an object, not ${shownValue(given)}`);
    return undefined;
  }
  const own: InheritOptions = typeof given === 'object' ? given : {};
  return {
    deadline: mistakes.flag('inherit.deadline', own.deadline ?? true),
    marginMs: mistakes.duration('inherit.margin', own.margin ?? '20ms'),
    cancellation: mistakes.flag('inherit.cancellation', own.cancellation ?? true),
    requestIdKey: requestIdKeyOf(own.requestId ?? true, mistakes),
    metadata: keysOf(own.metadata ?? TRACE_KEYS, mistakes),
  };
}

function requestIdKeyOf(given: boolean | string, mistakes: Mistakes): string | undefined {
  if (typeof given === 'string') return checkedKey('inherit.requestId', given, mistakes);
  return mistakes.flag('inherit.requestId', given) ? 'x-request-id' : undefined;
}

function keysOf(given: readonly string[], mistakes: Mistakes): readonly string[] {
  if (!Array.isArray(given)) {
    mistakes.add('inherit.metadata', `must be an array of keys, not ${shownValue(given)}`);
    return [];
  }
  return given.map((key, place) => checkedKey(`inherit.metadata[${place}]`, key, mistakes));
}

function checkedKey(where: string, key: string, mistakes: Mistakes): string {
  const name = mistakes.text(where, key).toLowerCase();
  if (NEVER.test(name)) {
    mistakes.add(
      where,
      `${shownValue(key)} is not passed on with other metadata; use the option authorization`,
    );
  } else if (!LEGAL_KEY.test(name)) {
    mistakes.add(
      where,
      `${shownValue(key)} is not a valid metadata key; use letters, digits, _, - and .`,
    );
  }
  return name;
}
