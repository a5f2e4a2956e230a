import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { Controller } from '@nestjs/common';
import { CONTROLLER_WATERMARK } from '@nestjs/common/constants';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import type { ServiceImpl } from './service-impl.js';

type Implementing<S extends DescService> = new (...args: never[]) => Partial<ServiceImpl<S>>;

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
  const streams = methodKind === 'client_streaming' || methodKind === 'bidi_streaming';
  const decorator = streams ? GrpcStreamMethod : GrpcMethod;
  decorator(parent.typeName, name)(prototype, localName, descriptor);
  Object.defineProperty(prototype, localName, descriptor);
}

/** The method's own descriptor; one for a copy of it, where a parent class has it. */
function descriptorOf(prototype: object, key: string): PropertyDescriptor | undefined {
  const own = Object.getOwnPropertyDescriptor(prototype, key);
  if (own !== undefined) return typeof own.value === 'function' ? own : undefined;
  const inherited: unknown = Reflect.get(prototype, key);
  if (typeof inherited !== 'function' || key in Object.prototype) return undefined;
  // Another child of the parent may serve another method with it.
  const value = function (this: unknown, ...args: unknown[]): unknown {
    return Reflect.apply(inherited, this, args);
  };
  for (const name of Reflect.getMetadataKeys(inherited) as string[]) {
    Reflect.defineMetadata(name, Reflect.getMetadata(name, inherited), value);
  }
  return { value, writable: true, enumerable: false, configurable: true };
}
