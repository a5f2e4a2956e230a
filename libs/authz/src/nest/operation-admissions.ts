import type { ExecutionContext } from '@nestjs/common';
import type { Admission } from '../decide/authorizer.js';
import { graphqlArguments } from './graphql-arguments.js';
import { HandlerAdmissions } from './handler-admissions.js';

interface OperationDecisions {
  readonly shared: unknown;
  readonly decided: HandlerAdmissions<Admission | Promise<Admission>>;
}

const operations = new WeakMap<object, OperationDecisions>();

/**
 * The decisions, made or under way, about the resolvers of one execution of an operation. A list of a
 * thousand objects asks for each of their fields a thousand times; the caller is the same.
 */
// Why: docs/decisions/0223
export function operationDecision(
  context: ExecutionContext,
): Admission | Promise<Admission> | undefined {
  return operationOf(context)?.decided.get(context);
}

/** Leaves a decision where {@link operationDecision} finds it. */
export function leaveOperationDecision(
  context: ExecutionContext,
  decision: Admission | Promise<Admission>,
): void {
  operationOf(context)?.decided.set(context, decision);
}

function operationOf(context: ExecutionContext): OperationDecisions | undefined {
  const { shared, execution } = graphqlArguments(context);
  if (execution === undefined) return undefined;
  let operation = operations.get(execution);
  if (operation === undefined || operation.shared !== shared) {
    operation = { shared, decided: new HandlerAdmissions() };
    operations.set(execution, operation);
  }
  return operation;
}
