import { grpcArguments, handlerName, isInfrastructure } from '@apix/calls/nest';
import { stagedCallOf } from '@apix/contracts';
import type { CanActivate, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { Observable, tap } from 'rxjs';
import { runWork } from '../context/logger-context.js';
import { newId } from '../context/new-id.js';
import { UnitOfWork } from '../context/work.js';
import type { Logger } from '../logger/logger.js';
import { DEFAULT_ID_FIELD } from '../request/door-options.js';
import { type RequestRecord, recordOfCall } from '../request/request-record.js';
import { routeLogOf } from './request-log.decorator.js';

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
// Why: docs/decisions/0235
export function followMessages(config: ApplicationConfig, root: Logger): void {
  const hook = messageHook(root);
  const hooked = config as object as Partial<HookedConfig>;
  if (hooked.registerPreRequestHook !== undefined) return hooked.registerPreRequestHook(hook);
  config.useGlobalGuards(NOTES_CALLS);
  config.useGlobalInterceptors(asInterceptor(hook));
}

const NOTES_CALLS: CanActivate = {
  canActivate(context) {
    if (context.getType() === 'rpc') noteCall(context);
    return true;
  },
};

function asInterceptor(hook: MessageHook): NestInterceptor {
  return {
    intercept: (context, next) =>
      context.getType() === 'rpc' ? hook(context, () => next.handle()) : next.handle(),
  };
}

/**
 * Runs around the guards, pipes, interceptors and handler of a message: gives it an id and a
 * logger. A gRPC call has both from the call chain; here its record gets the handler and the error.
 */
function messageHook(root: Logger): MessageHook {
  return (context, next) => {
    const record = noteCall(context);
    if (record !== undefined) {
      return next().pipe(tap({ error: (error: unknown) => void record.fail(error) }));
    }
    const handler = handlerName(context);
    const logger = root.forContextValues({ [DEFAULT_ID_FIELD]: newId(), handler });
    const rpc = context.switchToRpc();
    const message = { data: rpc.getData<unknown>(), context: rpc.getContext<unknown>() };
    const work = new UnitOfWork(logger, undefined, { message });
    return new Observable((subscriber) => runWork(work, () => next().subscribe(subscriber)));
  };
}

function noteCall(context: ExecutionContext): RequestRecord | undefined {
  const metadata = grpcArguments(context.getArgs())?.call.metadata;
  const record = recordOfCall(stagedCallOf(metadata));
  if (record === undefined) return undefined;
  record.handler = handlerName(context);
  record.isProbe = isInfrastructure(context);
  const { level, sample } = routeLogOf(context.getHandler(), context.getClass());
  record.routeLevel = level;
  record.routeSample = sample;
  record.takeContextFields();
  return record;
}
