import type { DiscoveryService } from '@nestjs/core';
import { STATIC_CONTEXT } from '@nestjs/core/injector/constants.js';
import { hasMark } from '../brand.js';

/**
 * Every provider of the app that carries a seam's mark, each once, in Nest's scan order (root
 * module first). Providers of request or transient scope are not found: a seam is offered for
 * the whole app or not at all. Neither are those that are not made yet.
 *
 * @param modules where to look, in this order. Default: all.
 */
export function discoverMarked<T extends object>(
  discovery: DiscoveryService,
  mark: symbol,
  modules?: Parameters<DiscoveryService['getProviders']>[1],
): T[] {
  const found = new Set<T>();
  for (const wrapper of discovery.getProviders(undefined, modules)) {
    if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) continue;
    // Until it is made, Nest has an object with the class's prototype in its place, marks included.
    const { instance, isResolved } = wrapper.getInstanceByContextId(STATIC_CONTEXT);
    if (isResolved === true && hasMark(instance, mark)) found.add(instance as T);
  }
  return [...found];
}
