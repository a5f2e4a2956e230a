import type { ExecutionContext } from '@nestjs/common';

/** What a resolver gets from graphql-js in addition to its parent and its arguments. */
export interface GraphqlArguments {
  /** The context that all resolvers of an operation share. */
  readonly shared: unknown;
  /** New for each execution of an operation, and for each event of a subscription. */
  readonly execution: object | undefined;
}

/** Finds them among the arguments of a handler; a resolver of references gets no arguments. */
export function graphqlArguments(context: ExecutionContext): GraphqlArguments {
  const args: readonly unknown[] = context.getArgs();
  const at = args.length === 3 ? 1 : 2;
  const info = args[at + 1] as { readonly variableValues?: unknown } | null | undefined;
  const execution = info?.variableValues;
  return {
    shared: args[at],
    // The object is made when the variables of one execution are read, even if there are none.
    execution: typeof execution === 'object' && execution !== null ? execution : undefined,
  };
}
