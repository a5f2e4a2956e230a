import { ApplicationConfig, type ModulesContainer } from '@nestjs/core';
import type { CanActivate } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { IS_GATEWAY } from '../served-handler.js';

/** Whether this runs with Nest 11, which lacks a method that every Nest 12 has. */
export const IS_NEST_11 = !('registerPreRequestHook' in ApplicationConfig.prototype);

/**
 * Makes Nest 11 call this guard before any other guard of the gateways of an app: Nest 11 calls no global
 * guard there, so that policies would silently not apply to gateways.
 *
 * Nest asks for the adapter when it comes to the first gateway, and reads the guards of all within the same
 * turn: for that turn the guard is among those of the classes, which other apps may have as well.
 */
// Why: docs/decisions/0221
export function guardGateways(
  config: ApplicationConfig,
  modules: ModulesContainer,
  guard: CanActivate,
): void {
  if (!IS_NEST_11) return;
  const get = config.getIoAdapter.bind(config);
  let undo: (() => void) | undefined;
  config.getIoAdapter = () => {
    undo ??= addGuard(gatewaysOf(modules), guard);
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

function addGuard(gateways: Set<object>, guard: CanActivate): () => void {
  const undos = [...gateways].map((gateway) => {
    const own: unknown = Reflect.getOwnMetadata(GUARDS_METADATA, gateway);
    const all = (Reflect.getMetadata(GUARDS_METADATA, gateway) ?? []) as readonly unknown[];
    Reflect.defineMetadata(GUARDS_METADATA, [guard, ...all], gateway);
    return () => {
      if (own === undefined) Reflect.deleteMetadata(GUARDS_METADATA, gateway);
      else Reflect.defineMetadata(GUARDS_METADATA, own, gateway);
    };
  });
  return () => {
    for (const undo of undos.toReversed()) undo();
  };
}
