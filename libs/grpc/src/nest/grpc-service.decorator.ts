import { fullMethodName } from '@apix/proto/core';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { Controller } from '@nestjs/common';
import { CONTROLLER_WATERMARK } from '@nestjs/common/constants.js';
import { GrpcMethod, GrpcStreamMethod } from '../npm-install/@nestjs/microservices.js';
import { markGenerated } from './generated-handler.js';
import { isAsyncIterable, mayBePaced, paced } from './paced.js';
import type { MethodImpl } from './service-impl.js';

type Method = (...args: unknown[]) => unknown;
/** Without the names that every object has: a class has such methods, which are not handlers. */
type Handlers<S extends DescService> = {
  [K in Exclude<keyof S['method'], keyof typeof Object.prototype>]?: MethodImpl<S['method'][K]>;
};
type Implementing<S extends DescService> = new (...args: never[]) => Handlers<S>;

/**
 * Makes a class the controller of a generated service: its methods that are named like the
 * service's (`cancel` for `rpc Cancel`) become their handlers, and one whose request or answer
 * does not fit does not compile. Methods of the service that the class does not have answer
 * UNIMPLEMENTED and are named at boot; to have the compiler ask for all of them, write
 * `implements ServiceImpl<typeof Orders>`.
 *
 * Streams of requests arrive as Observables. For `@GrpcStreamCall`, or several controllers for
 * one service, use Nest's own decorators.
 *
 * @param service must be in the descriptors of `ProtoModule` too, or the app does not start.
 */
export function GrpcService<S extends DescService>(service: S): (target: Implementing<S>) => void {
  return (target) => {
    const prototype = target.prototype as object;
    for (const method of service.methods) decorate(prototype, method);
    if (!Reflect.hasOwnMetadata(CONTROLLER_WATERMARK, target)) Controller()(target);
  };
}

function decorate(prototype: object, method: DescMethod): void {
  const { localName, methodKind, name, parent } = method;
  const descriptor = descriptorOf(prototype, localName);
  if (descriptor === undefined) return;
  if (methodKind === 'server_streaming' || methodKind === 'bidi_streaming') {
    mayBePaced(fullMethodName(method));
  }
  const streams = methodKind === 'client_streaming' || methodKind === 'bidi_streaming';
  const decorator = streams ? GrpcStreamMethod : GrpcMethod;
  decorator(parent.typeName, name)(prototype, localName, descriptor);
  markGenerated(descriptor.value as Method);
  // Guards and logs identify handlers by their names.
  Object.defineProperty(descriptor.value, 'name', { value: localName });
  Object.defineProperty(prototype, localName, descriptor);
}

/**
 * Set on a function that calls the method of the class, or of a parent class: other subclasses of the
 * parent may serve another service with that method.
 */
function descriptorOf(prototype: object, key: string): PropertyDescriptor | undefined {
  const method = methodOf(prototype, key);
  if (method === undefined) return undefined;
  const value = function (this: unknown, ...args: unknown[]): unknown {
    const answer: unknown = Reflect.apply(method, this, args);
    return isAsyncIterable(answer) ? paced(answer) : answer;
  };
  for (const name of Reflect.getMetadataKeys(method) as string[]) {
    Reflect.defineMetadata(name, Reflect.getMetadata(name, method), value);
  }
  return { value, writable: true, enumerable: false, configurable: true };
}

/** Without running an accessor, and without what every object has. */
function methodOf(prototype: object | null, key: string): Method | undefined {
  if (prototype === null || prototype === Object.prototype) return undefined;
  const own = Object.getOwnPropertyDescriptor(prototype, key);
  if (own === undefined) return methodOf(Reflect.getPrototypeOf(prototype), key);
  return typeof own.value === 'function' ? (own.value as Method) : undefined;
}
