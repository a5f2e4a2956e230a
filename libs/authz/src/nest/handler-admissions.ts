import type { ExecutionContext } from '@nestjs/common';

/** Decisions by handler: one request can meet several handlers, each with its own policy. */
export class HandlerAdmissions<T> {
  readonly #byHandler = new Map<unknown, { controller: unknown; decided: T }[]>();

  get(context: ExecutionContext): T | undefined {
    const controller = context.getClass();
    return this.#byHandler.get(context.getHandler())?.find((each) => each.controller === controller)
      ?.decided;
  }

  set(context: ExecutionContext, decided: T): void {
    const controller = context.getClass();
    const handler = context.getHandler();
    const others = this.#byHandler.get(handler)?.filter((each) => each.controller !== controller);
    this.#byHandler.set(handler, [...(others ?? []), { controller, decided }]);
  }
}
