import { beginWork, replaceOn, type StagedPart, stagedPartOf } from '@apix/contracts/internal';
import type { Metadata } from '@grpc/grpc-js';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { catchError, isObservable, type Observable } from 'rxjs';
import { RpcContextCreator } from '../npm-install/@nestjs/microservices.js';
import type { NestHandler } from './prepared-handler.js';

/** A parameter of a handler, as Nest finds its value. */
interface HandlerParameter {
  readonly index: number;
  readonly pipes: readonly unknown[];
  extractValue(...args: unknown[]): unknown;
}

/** Creates what Nest runs around a handler. */
type PartCreator<T> = { create(...of: unknown[]): T };

/** The part of Nest's RpcContextCreator that is used. */
interface ContextCreator {
  readonly guardsContextCreator: PartCreator<readonly object[]>;
  readonly interceptorsContextCreator: PartCreator<readonly object[]>;
  readonly pipesContextCreator: PartCreator<readonly unknown[]>;
  readonly exceptionFiltersContext: PartCreator<ExceptionsHandler>;
  readonly applicationConfig?: { getGlobalPreRequestHooks?(): readonly object[] };
  getMetadata(
    instance: object,
    methodName: string,
    defaults: object,
    type: 'rpc',
  ): {
    readonly argsLength: number;
    getParamsMetadata(module: string): readonly HandlerParameter[];
  };
}

interface ExceptionsHandler {
  handle(error: unknown, host: ExecutionContextHost): Observable<unknown>;
}

/** What Nest calls the creator with, for a controller that is not made for each call. */
type Created = [instance: object, method: NestMethod, module: string, name: string, ...unknown[]];
type NestMethod = (...args: unknown[]) => unknown;

/** A handler of a controller, and all that Nest runs around it. */
interface ServedMethod {
  readonly instance: object;
  readonly method: NestMethod;
  /** Guards, interceptors and hooks, those of the app included. */
  readonly parts: readonly object[];
  readonly hasPipes: boolean;
  readonly argsLength: number;
  readonly parameters: readonly HandlerParameter[];
  readonly exceptions: ExceptionsHandler;
}

/** A unary call, as grpc-js gives it to handlers. */
interface UnaryCall {
  readonly request: unknown;
  readonly metadata: Metadata;
}

/** Takes the answer of a unary call, or its error. */
type Answered = (error: unknown, answer?: unknown) => void;

/** What is known of the handlers that Nest has created. */
const served = new WeakMap<object, ServedMethod>();

/** Connects a microservice, and notes what Nest creates for its handlers meanwhile. */
export function notingHandlers<T>(connect: () => T): T {
  const release = replaceOn(RpcContextCreator.prototype, 'create', (create) => {
    return function (this: RpcContextCreator, ...args) {
      const handler = create.apply(this, args);
      const known = servedMethod(this as unknown as ContextCreator, args as Created);
      if (known !== undefined) served.set(handler, known);
      return handler;
    };
  });
  try {
    return connect();
  } finally {
    release();
  }
}

/** Undefined where this version of Nest is another than those that are known. */
function servedMethod(creator: ContextCreator, created: Created): ServedMethod | undefined {
  const [instance, method, module, name, ...others] = created;
  const [contextId, inquirerId, defaults] = others;
  const of = [instance, method, module, contextId, inquirerId];
  try {
    const metadata = creator.getMetadata(instance, name, defaults as object, 'rpc');
    const parameters = metadata.getParamsMetadata(module);
    return {
      instance,
      method,
      parts: [
        ...(creator.applicationConfig?.getGlobalPreRequestHooks?.() ?? []),
        ...creator.guardsContextCreator.create(...of),
        ...creator.interceptorsContextCreator.create(...of),
      ],
      hasPipes:
        creator.pipesContextCreator.create(...of).length > 0 ||
        parameters.some(({ pipes }) => pipes.length > 0),
      argsLength: metadata.argsLength,
      parameters,
      exceptions: creator.exceptionFiltersContext.create(...of),
    };
  } catch {
    return undefined;
  }
}

/**
 * The way of a unary call to a handler around which nothing is left for Nest to run: no pipe, and no guard,
 * interceptor or hook that the chain does not stand for. Undefined for all others, which take Nest's way.
 *
 * @param stages of the chain that each call passes before.
 * @param nestWay answers as Nest does with the result of a handler.
 */
// Why: docs/decisions/0486
export function directHandler(
  handler: NestHandler,
  stages: readonly string[],
  nestWay: (result: NestHandler) => NestHandler,
): NestHandler | undefined {
  const known = served.get(handler);
  if (known === undefined || known.hasPipes) return undefined;
  const parts = known.parts.map(stagedPartOf);
  if (!parts.every((part) => isDone(part, stages))) return undefined;
  const reached = parts.flatMap((part) => part?.reached ?? []);
  const { instance, method } = known;
  const target = { controller: instance.constructor, method };
  const argumentsFor = argumentReader(known);
  const failing = failureWay(known, parts);
  return (ofGrpc, given) => {
    const call = ofGrpc as UnaryCall;
    const answered = given as Answered;
    const fail = (error: unknown): Promise<unknown> =>
      nestWay(async () => failing(error, call))(call, answered);
    const settle = (value: unknown): unknown => {
      let isSource: boolean;
      try {
        isSource = isObservable(value);
      } catch (error) {
        return fail(error);
      }
      if (!isSource) return answered(null, value ?? {});
      const guarded = (value as Observable<unknown>).pipe(
        catchError((error) => failing(error, call)),
      );
      return nestWay(async () => guarded)(call, answered);
    };
    for (const tell of reached) tell(call.metadata, target);
    let value: unknown;
    let isLate: boolean;
    try {
      const args = argumentsFor(call);
      value = beginWork(() =>
        args instanceof Promise
          ? args.then((settled) => method.apply(instance, settled))
          : method.apply(instance, args),
      );
      isLate = isAwaited(value);
    } catch (error) {
      return fail(error);
    }
    return isLate ? Promise.resolve(value).then(settle, fail) : Promise.resolve(settle(value));
  };
}

/** Whether `await` waits for a value. Throws what its getter throws. */
function isAwaited(value: unknown): boolean {
  const isObject = typeof value === 'object' || typeof value === 'function';
  return isObject && typeof (value as { then?: unknown } | null)?.then === 'function';
}

function isDone(part: StagedPart | undefined, stages: readonly string[]): boolean {
  return part !== undefined && (part.stage === undefined || stages.includes(part.stage));
}

/** What the exception filters make of an error of a handler. */
function failureWay(
  { exceptions }: ServedMethod,
  parts: readonly (StagedPart | undefined)[],
): (error: unknown, call: UnaryCall) => Observable<unknown> {
  const failed = parts.flatMap((part) => part?.failed ?? []);
  return (error, call) => {
    for (const tell of failed) tell(call.metadata, error);
    const host = new ExecutionContextHost([call.request, call.metadata, call]);
    host.setType('rpc');
    return exceptions.handle(error, host);
  };
}

/** Reads a handler's arguments from a call; some of its decorators may promise them. */
function argumentReader({
  argsLength,
  parameters,
}: ServedMethod): (call: UnaryCall) => unknown[] | Promise<unknown[]> {
  return (call) => {
    const args: unknown[] = Array.from({ length: argsLength }, () => null);
    let isLate = false;
    for (const parameter of parameters) {
      const value = parameter.extractValue(call.request, call.metadata, call);
      isLate ||= isAwaited(value);
      args[parameter.index] = value;
    }
    return isLate ? Promise.all(args) : args;
  };
}
