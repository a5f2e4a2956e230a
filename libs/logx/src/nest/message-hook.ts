import { grpcArguments, handlerName, routeHandlerOf } from '@apix/calls/internal-nest';
import { Code, stagedCallOf } from '@apix/contracts';
import { type HandlerOfCall, STAGED_PART, type StagedPart } from '@apix/contracts/internal';
import type { CanActivate, ExecutionContext, NestInterceptor, Type } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { Observable, tap } from 'rxjs';
import { runWork } from '../context/logger-context.js';
import { newId } from '../context/new-id.js';
import type { Logger } from '../logger/logger.js';
import { DEFAULT_ID_FIELD } from '../request/door-options.js';
import { type RequestRecord, recordOfCall } from '../request/request-record.js';
import { type MessageLogParts, MessageRecord } from './message-record.js';
import { takeRouteLog } from './request-log.decorator.js';

/** The type of Nest 12's `PreRequestHook`, which runs only for messages. */
type MessageHook = (
  context: ExecutionContext,
  next: () => Observable<unknown>,
) => Observable<unknown>;

/** Runs a hook around every message of an app. */
interface HookedConfig {
  registerPreRequestHook(hook: MessageHook): void;
}

/**
 * Gives each message an id and a logger, and the record of a gRPC call its handler. With Nest 12, guards
 * have that logger too; Nest 11 has no hook around guards, so there the logger is available in the handler
 * and in interceptors after ours, and a guard before all others sets the handler.
 */
// Why: docs/decisions/0090
export function followMessages(
  config: ApplicationConfig,
  root: Logger,
  parts: MessageLogParts | undefined,
): void {
  const hook = Object.assign(messageHook(root, parts), { [STAGED_PART]: FOLLOWED_BY_STAGE });
  const hooked = config as object as Partial<HookedConfig>;
  if (hooked.registerPreRequestHook !== undefined) return hooked.registerPreRequestHook(hook);
  config.useGlobalGuards(NOTES_CALLS);
  config.useGlobalInterceptors(asInterceptor(hook));
}

/** For a gRPC call with a record there is nothing but the handler to note, and its error. */
export const NOTED_BY_STAGE: StagedPart = {
  stage: 'log',
  reached: (metadata, handler) => void noteHandlerOf(metadata, handler),
};
const FOLLOWED_BY_STAGE: StagedPart = {
  ...NOTED_BY_STAGE,
  failed: (metadata, error) => void recordOfCall(stagedCallOf(metadata))?.fail(error),
};

const NOTES_CALLS: CanActivate & { readonly [STAGED_PART]: StagedPart } = {
  [STAGED_PART]: NOTED_BY_STAGE,
  canActivate(context) {
    if (context.getType() === 'rpc') noteCall(context);
    return true;
  },
};

function asInterceptor(
  hook: MessageHook,
): NestInterceptor & { readonly [STAGED_PART]: StagedPart } {
  return {
    [STAGED_PART]: FOLLOWED_BY_STAGE,
    intercept: (context, next) =>
      context.getType() === 'rpc' ? hook(context, () => next.handle()) : next.handle(),
  };
}

/**
 * Runs around the guards, pipes, interceptors and handler of a message: gives it an id and a
 * logger. A gRPC call has both from the call chain; here its record gets the handler and the error.
 */
function messageHook(root: Logger, parts: MessageLogParts | undefined): MessageHook {
  return (context, next) => {
    const record = noteCall(context);
    if (record !== undefined) {
      return next().pipe(tap({ error: (error: unknown) => void record.fail(error) }));
    }
    // A gRPC call without the stage of the call chain is not a message.
    const isCall = grpcArguments(context.getArgs()) !== undefined;
    const message = messageRecord(context, root, isCall ? undefined : parts);
    return new Observable((subscriber) => {
      subscriber.add(() => message.end(Code.CANCELLED));
      runWork(message, () => {
        message.takeContextFields();
        const handled = next().subscribe({
          next: (value) => subscriber.next(value),
          error: (error: unknown) => {
            message.endFailed(error);
            subscriber.error(error);
          },
          complete: () => {
            message.end(Code.OK);
            subscriber.complete();
          },
        });
        subscriber.add(handled);
      });
    });
  };
}

function messageRecord(
  context: ExecutionContext,
  root: Logger,
  parts: MessageLogParts | undefined,
): MessageRecord {
  const handler = handlerName(context);
  const logger = root.forContextValues({ [DEFAULT_ID_FIELD]: newId(), handler });
  const rpc = context.switchToRpc();
  const message = { data: rpc.getData<unknown>(), context: rpc.getContext<unknown>() };
  const record = new MessageRecord(logger, message, parts);
  record.handler = handler;
  takeRouteLog(record, { ...handlerOf(context), isInfrastructure: false });
  return record;
}

/** Gives the record of a gRPC call its handler, once. Undefined for other messages. */
export function noteCall(context: ExecutionContext): RequestRecord | undefined {
  const metadata = grpcArguments(context.getArgs())?.call.metadata;
  return noteHandlerOf(metadata, handlerOf(context));
}

function noteHandlerOf(
  metadata: object | undefined,
  { controller, method }: HandlerOfCall,
): RequestRecord | undefined {
  const record = recordOfCall(stagedCallOf(metadata));
  if (record === undefined) return undefined;
  const handler = routeHandlerOf(controller as Type, method);
  if (record.handler === handler.name) return record;
  record.handler = handler.name;
  takeRouteLog(record, handler);
  record.takeContextFields();
  return record;
}

function handlerOf(context: ExecutionContext): HandlerOfCall {
  return { controller: context.getClass(), method: context.getHandler() };
}
