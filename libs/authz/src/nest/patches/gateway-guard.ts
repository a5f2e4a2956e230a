import { ApplicationConfig, type ModulesContainer } from '@nestjs/core';
import type { CanActivate, NestInterceptor } from '@nestjs/common';
import { GUARDS_METADATA, INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { IS_GATEWAY } from '../served-handler.js';

/** Whether this runs with Nest 11, which lacks a method that every Nest 12 has. */
export const IS_NEST_11 = !('registerPreRequestHook' in ApplicationConfig.prototype);

/** What runs around the handlers of gateways. */
interface GatewayParts {
  readonly guards: readonly CanActivate[];
  readonly interceptors: readonly NestInterceptor[];
}

/**
 * Makes Nest 11 call these parts before any others of the gateways of an app: Nest 11 calls no global ones
 * there, so that policies would silently not apply to gateways.
 *
 * Nest asks for the adapter when it comes to the first gateway, and reads the guards of all within the same
 * turn: for that turn these are among those of the classes, which other apps may have as well.
 */
// Why: docs/decisions/0221
export function guardGateways(
  config: ApplicationConfig,
  modules: ModulesContainer,
  parts: GatewayParts,
): void {
  if (!IS_NEST_11) return;
  const get = config.getIoAdapter.bind(config);
  let undo: (() => void) | undefined;
  config.getIoAdapter = () => {
    undo ??= addParts(gatewaysOf(modules), parts);
    queueMicrotask(() => {
      undo?.();
      undo = undefined;
    });
    return get();
  };
}

function gatewaysOf(modules: ModulesContainer): Set<object> {
  const classes = [...modules.values()].flatMap(({ providers }) =>
    [...providers.values()].map(({ metatype }) => metatype as object | null),
  );
  return new Set(
    classes.filter((one) => typeof one === 'function' && Reflect.hasMetadata(IS_GATEWAY, one)),
  ) as Set<object>;
}

function addParts(gateways: Set<object>, { guards, interceptors }: GatewayParts): () => void {
  const undos = [...gateways].flatMap((gateway) => [
    prepend(gateway, GUARDS_METADATA, guards),
    prepend(gateway, INTERCEPTORS_METADATA, interceptors),
  ]);
  return () => {
    for (const undo of undos.toReversed()) undo();
  };
}

function prepend(gateway: object, key: string, parts: readonly object[]): () => void {
  if (parts.length === 0) return () => {};
  const own: unknown = Reflect.getOwnMetadata(key, gateway);
  const all = (Reflect.getMetadata(key, gateway) ?? []) as readonly unknown[];
  Reflect.defineMetadata(key, [...parts, ...all], gateway);
  return () => {
    if (own === undefined) Reflect.deleteMetadata(key, gateway);
    else Reflect.defineMetadata(key, own, gateway);
  };
}
