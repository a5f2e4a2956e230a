import { Code, StatusError } from '@apix/contracts';
import type { UnmetCondition } from '../conditions/check-conditions.js';
import type { CompiledCondition, MethodConditions } from '../conditions/method-conditions.js';
import type { Denial, DenyReason } from './decision.js';

/** Why what a condition reads is not there. */
export interface Absence {
  readonly reason: Extract<DenyReason, 'no_request' | 'no_resource'>;
  /** For operators. */
  readonly cause: Error;
}

/** For entry points without a request, such as the policy of an RPC on an HTTP handler. */
export function noRequest(): Absence {
  return {
    reason: 'no_request',
    cause: new Error('authz: conditions need the request, and here is none'),
  };
}

/** For servers whose messages are not those of protobuf-es. */
export function foreignRequest(): Absence {
  return {
    reason: 'no_request',
    cause: new TypeError(
      'authz: conditions need requests that are messages of protobuf-es, as those of @apix/grpc are',
    ),
  };
}

/** For a request that names a record that does not exist. */
export function noResource({ resource }: MethodConditions): Absence {
  const type = resource?.desc.typeName;
  return {
    reason: 'no_resource',
    cause: new Error(`authz: there is no ${type} of the name in the request`),
  };
}

/** A condition is false, or its evaluation has failed. */
export function unmetDenial(
  conditions: MethodConditions,
  unmet: UnmetCondition,
  exposeReasons: boolean,
): Denial {
  const { condition, failure } = unmet;
  return {
    reason: failure === undefined ? 'condition' : 'condition_error',
    condition: condition.id,
    error: errorOf(conditions, condition, exposeReasons, causeOf(conditions, unmet)),
  };
}

/** What a condition reads is not there. */
export function absenceDenial(
  conditions: MethodConditions,
  condition: CompiledCondition,
  { reason, cause }: Absence,
  exposeReasons: boolean,
): Denial {
  const error = errorOf(conditions, condition, exposeReasons, cause);
  return { reason, condition: condition.id, error };
}

/** The record does not exist, and the caller may know: it meets the conditions whatever the record is. */
export function notFoundDenial(conditions: MethodConditions, condition: CompiledCondition): Denial {
  const { reason, cause } = noResource(conditions);
  const error = new StatusError(Code.NOT_FOUND, 'not found', { cause });
  return { reason, condition: condition.id, error };
}

function causeOf({ method }: MethodConditions, { condition, failure }: UnmetCondition): Error {
  const { id } = condition;
  return failure === undefined
    ? new Error(`authz: condition "${id}" of ${method} is not met`)
    : new Error(`authz: condition "${id}" of ${method} could not be evaluated`, { cause: failure });
}

/** For a caller: the same for all conditions that read the record, whatever came of them. */
function errorOf(
  { hideExistence, list }: MethodConditions,
  condition: CompiledCondition,
  exposeReasons: boolean,
  cause: Error,
): StatusError {
  if (hideExistence) return new StatusError(Code.NOT_FOUND, 'not found', { cause });
  const told = condition.readsResource ? list.filter((each) => each.readsResource) : [condition];
  const reasons = told.map(({ message }) => message).filter((message) => message !== '');
  const why = exposeReasons && reasons.length > 0 ? `: ${reasons.join('; ')}` : '';
  return new StatusError(Code.PERMISSION_DENIED, `permission denied${why}`, { cause });
}
