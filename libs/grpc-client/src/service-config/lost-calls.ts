import { Code } from '@apix/contracts';
import type { DescMethod } from '@bufbuild/protobuf';
import type { MethodConfig } from '@grpc/grpc-js';

/**
 * When a call with one response is made again that was lost with its connection after the headers of the
 * response, of which its caller knows nothing yet. grpc-js leaves such calls alone.
 */
export interface LostCallPolicy {
  /** Codes that this end gives a call whose connection is lost. */
  readonly codes: ReadonlySet<Code>;
  /** How often a call is made at most. */
  readonly attempts: number;
}

/** The retries of a method on a channel; undefined if its calls are not retried. */
export type LostCalls = (method: DescMethod) => LostCallPolicy | undefined;

/** For channels whose calls are made once. */
export const NO_LOST_CALLS: LostCalls = () => undefined;

/** By the policies of a service config. */
// Why: docs/decisions/0272
export function lostCalls(configs: readonly MethodConfig[]): LostCalls {
  return (method) => {
    // Requests of a stream are gone once they have been sent, and answers of one may have been read.
    if (method.methodKind !== 'unary') return undefined;
    const { retryPolicy, hedgingPolicy } = configs[entryFor(method, configs)] ?? {};
    const codes = retryPolicy?.retryableStatusCodes ?? hedgingPolicy?.nonFatalStatusCodes ?? [];
    const attempts = retryPolicy?.maxAttempts ?? hedgingPolicy?.maxAttempts;
    if (attempts === undefined) return undefined;
    return { codes: new Set(codes.map((code) => Code[code as keyof typeof Code])), attempts };
  };
}

/**
 * The place of the entry that counts for a method: the most specific, and the first of those; -1 if there
 * is none.
 */
export function entryFor(method: DescMethod, configs: readonly MethodConfig[]): number {
  const service = method.parent.typeName;
  for (const wanted of [`${service}/${method.name}`, `${service}/`, '/']) {
    const place = configs.findIndex(({ name }) =>
      name.some((it) => `${it.service ?? ''}/${it.method ?? ''}` === wanted),
    );
    if (place !== -1) return place;
  }
  return -1;
}
