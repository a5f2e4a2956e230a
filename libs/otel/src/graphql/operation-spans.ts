import { FLAG, type OptionTable } from '@apix/contracts/internal';
import { type Context, context, SpanKind, type TimeInput } from '@opentelemetry/api';
import { GRAPHQL_DOCUMENT, GRAPHQL_OPERATION_NAME, GRAPHQL_OPERATION_TYPE } from '../names.js';
import { follow } from '../spans/follow.js';
import { notingFailure } from '../spans/follow-promise.js';
import { OpenSpan } from '../spans/open-span.js';
import { beginningAfter, type Tracing } from '../tracing/tracing.js';
import { inSubscription } from './subscription-span.js';

export interface GraphqlSpansOptions {
  /** A span of each root resolver, inside that of its operation. Default: false. */
  readonly resolvers?: boolean | undefined;
  /**
   * Names spans by the names of operations too, which callers choose: only for callers that can be trusted
   * to have few. Default: false.
   */
  readonly operationNames?: boolean | undefined;
  /**
   * Records the document as the caller sent it, with the values in it, cut at 8,192 characters. Default:
   * false.
   */
  readonly documents?: boolean | undefined;
}

/** The allowed values of the options of spans of GraphQL. */
export const GRAPHQL_SPANS_OPTIONS = {
  resolvers: FLAG,
  operationNames: FLAG,
  documents: FLAG,
} satisfies OptionTable<GraphqlSpansOptions>;

/** The last argument of a resolver, as far as it is used. */
export interface ResolverInfo {
  readonly fieldName: string;
  readonly parentType: { readonly name: string };
  readonly operation: {
    readonly operation: string;
    readonly name?: { readonly value: string } | undefined;
  };
}

/** An operation under way. */
export interface GraphqlOperation {
  readonly begunAt: TimeInput;
  readonly outer: Context;
  readonly document: string | undefined;
  /** Once something of it is resolved, and its kind is known by that. */
  running: OpenSpan | undefined;
}

type Resolve = () => unknown;

/** The longest name or document that is noted, in characters. */
const MAX_NAME = 256;
const MAX_DOCUMENT = 8_192;

/** Makes the spans of operations of GraphQL, as the conventions have them. */
export class OperationSpans {
  constructor(
    private readonly tracing: Tracing,
    private readonly options: GraphqlSpansOptions = {},
  ) {}

  begin(document?: string): GraphqlOperation {
    const outer = context.active();
    return { begunAt: Date.now(), outer, document, running: undefined };
  }

  /** Resolves a root field inside the span of its operation. */
  resolve(operation: GraphqlOperation | undefined, info: ResolverInfo, resolve: Resolve): unknown {
    if (operation === undefined) return this.#resolveAlone(info, resolve);
    const { span, context: inner } = (operation.running ??= this.#run(operation, info));
    // Not every driver keeps the thrown error in the errors of its answer.
    return context.with(inner, () => notingFailure(span, () => this.#resolved(info, resolve)));
  }

  /**
   * Ends an operation, also one that was refused before it was resolved.
   *
   * @param errors of its answer. Default: none.
   */
  end(operation: GraphqlOperation, errors: readonly unknown[] = []): void {
    const running = (operation.running ??= this.#run(operation));
    const [first] = errors;
    if (first === undefined) running.end();
    else running.fail(originalOf(first));
  }

  /** Operations over a WebSocket are not reported: a subscription is followed by its values. */
  #resolveAlone(info: ResolverInfo, resolve: Resolve): unknown {
    const isSubscription = info.operation.operation === 'subscription';
    const open = this.#run(this.begin(), info, isSubscription);
    return isSubscription ? inSubscription(open, resolve) : follow(open, resolve);
  }

  /**
   * @param isApart for an operation that outlives its request: it gets its own trace, linked to that of the
   *   request.
   */
  #run({ begunAt, outer: from, document }: GraphqlOperation, info?: ResolverInfo, isApart = false) {
    const { context: outer, links } = isApart ? beginningAfter(from) : { context: from };
    const type = info?.operation.operation;
    const name = info?.operation.name?.value.slice(0, MAX_NAME);
    const isNamed = this.options.operationNames === true && name !== undefined;
    const span = this.tracing.tracer.startSpan(
      type === undefined ? 'GraphQL Operation' : isNamed ? `${type} ${name}` : type,
      {
        kind: SpanKind.SERVER,
        startTime: begunAt,
        ...(links && { links }),
        attributes: {
          ...(type !== undefined && { [GRAPHQL_OPERATION_TYPE]: type }),
          ...(name !== undefined && { [GRAPHQL_OPERATION_NAME]: name }),
          ...(this.options.documents === true &&
            document !== undefined && { [GRAPHQL_DOCUMENT]: document.slice(0, MAX_DOCUMENT) }),
        },
      },
      outer,
    );
    return new OpenSpan(span, outer);
  }

  #resolved({ parentType, fieldName }: ResolverInfo, resolve: Resolve): unknown {
    if (this.options.resolvers !== true) return resolve();
    const span = this.tracing.tracer.startSpan(`${parentType.name}.${fieldName}`);
    return follow(new OpenSpan(span, context.active()), resolve);
  }
}

/** GraphQL reports errors of resolvers as its own, with the thrown error inside. */
function originalOf(error: unknown): unknown {
  return (error as { readonly originalError?: unknown } | null)?.originalError ?? error;
}
