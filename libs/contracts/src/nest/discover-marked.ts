import type { DiscoveryService } from '@nestjs/core';
import { hasMark } from '../brand.js';

/**
 * Every provider of the app that carries a seam's mark, each once, in Nest's scan order (root
 * module first). Providers of request or transient scope are not found: a seam is offered for
 * the whole app or not at all.
 */
export function discoverMarked<T extends object>(discovery: DiscoveryService, mark: symbol): T[] {
  const found = new Set<T>();
  for (const wrapper of discovery.getProviders()) {
    if (!wrapper.isDependencyTreeStatic()) continue;
    const instance: unknown = wrapper.instance;
    if (hasMark(instance, mark)) found.add(instance as T);
  }
  return [...found];
}
